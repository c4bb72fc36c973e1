/** The limits that a caller's spending counts under; a reservation is made under all of them. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { memoize } from "effect/Function"
import * as Layer from "effect/Layer"
import { addBundleBudgets } from "../../tenants/auth/bundles/addBundleBudgets.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { KeyLimit } from "../../tenants/auth/keys/KeyLimit.ts"
import { isOfBundle } from "../../tenants/guardrails/BundleGuardrails.ts"
import type { Guardrail } from "../../tenants/guardrails/Guardrail.ts"
import type { Interval } from "../../engine/ledger/Interval.ts"
import { Ledger } from "../../engine/ledger/Ledger.ts"
import * as Limit from "../../engine/ledger/Limit.ts"
import * as Subject from "../../engine/ledger/Subject.ts"
import { isSuccess } from "../../values/eager.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { type Budget, toInterval } from "../../tenants/workspaces/Budget.ts"
import { toDefaultGuardrailId } from "../../tenants/workspaces/Workspace.ts"
import { WorkspaceStore } from "../../tenants/workspaces/WorkspaceStore.ts"
import * as Step from "../../values/Step.ts"

/** Finds the limits that a caller's spending falls under. */
export class SpendLimits extends Context.Service<
  SpendLimits,
  {
    /** The current limits; none means unlimited. Of several exceeded limits the first is reported. */
    readonly listLimits: (
      caller: Caller,
      guardrails: ReadonlyArray<Guardrail>
    ) => Effect.Effect<ReadonlyArray<Limit.Limit>>
  }
>()("@signalbox/core/routing/restrictions/SpendLimits") {
  static readonly layer = Layer.effect(
    SpendLimits,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const ledger = yield* Ledger
      const workspaces = yield* WorkspaceStore
      /** Lists from stores are immutable, and stay the same object until they change. */
      const latestLimits = new WeakMap<Caller, LatestLimits>()

      const getLimits = (
        caller: Caller,
        credits: ReadonlyArray<Limit.Limit>,
        guardrails: ReadonlyArray<Guardrail>,
        budgets: ReadonlyArray<Budget>,
        countsByok: boolean
      ): ReadonlyArray<Limit.Limit> => {
        if (caller.limit === undefined && budgets.length === 0 && !guardrails.some(hasBudget)) {
          return credits
        }
        const now = clock.currentTimeMillisUnsafe()
        const latest = latestLimits.get(caller)
        if (
          latest !== undefined &&
          latest.guardrails === guardrails &&
          latest.budgets === budgets &&
          latest.countsByok === countsByok &&
          latest.credits === credits
        ) {
          return (latest.limits = Limit.refreshLimits(now, latest.limits))
        }
        const limits = resolveLimits(now, caller, credits, guardrails, budgets, countsByok)
        latestLimits.set(caller, { credits, guardrails, budgets, countsByok, limits })
        return limits
      }

      const addBudgets = (
        caller: Caller,
        guardrails: ReadonlyArray<Guardrail>,
        credits: ReadonlyArray<Limit.Limit>
      ): Effect.Effect<ReadonlyArray<Limit.Limit>> => {
        const { account, workspace } = caller
        const { bundle } = caller
        const own = workspaces.budgets(account, workspace)
        const listing =
          bundle === undefined ? own : Step.map(own, (budgets) => addBundleBudgets(caller, budgets))
        if (isSuccess(listing) && listing.value.length === 0) {
          return Effect.succeed(getLimits(caller, credits, guardrails, listing.value, false))
        }
        return Step.flatMap(listing, (budgets) =>
          Step.map(workspaces.findById(account, workspace), (spending) =>
            getLimits(
              caller,
              credits,
              guardrails,
              budgets,
              spending?.include_byok_in_budgets === true || bundle?.countsByok === true
            )
          )
        )
      }

      return {
        listLimits: (caller, guardrails) => {
          const listing = ledger.listCreditLimits(caller.account)
          return isSuccess(listing)
            ? addBudgets(caller, guardrails, listing.value)
            : Effect.flatMap(listing, (credits) => addBudgets(caller, guardrails, credits))
        }
      }
    })
  )
}

/** The latest limits of a caller, and what they were made of. */
interface LatestLimits {
  readonly credits: ReadonlyArray<Limit.Limit>
  readonly guardrails: ReadonlyArray<Guardrail>
  readonly budgets: ReadonlyArray<Budget>
  readonly countsByok: boolean
  limits: ReadonlyArray<Limit.Limit>
}

const resolveLimits = (
  now: number,
  caller: Caller,
  credits: ReadonlyArray<Limit.Limit>,
  guardrails: ReadonlyArray<Guardrail>,
  budgets: ReadonlyArray<Budget>,
  countsByok: boolean
): ReadonlyArray<Limit.Limit> => {
  const capped = buildCaps(caller)
  const limits = [...credits]
  if (capped.key !== undefined) limits.push(capped.key(now))
  const caps = countsByok ? capped.workspaceWithByok : capped.workspace
  for (const limitAt of caps(budgets)) limits.push(limitAt(now))
  for (const guardrail of guardrails) {
    if (!hasBudget(guardrail)) continue
    for (const limitAt of capped.guardrail(guardrail)) limits.push(limitAt(now))
  }
  return limits
}

const hasBudget = ({ limit_usd }: Guardrail): boolean => limit_usd !== null

/** The caps of a caller. Memoized, because callers, guardrails and budgets are immutable. */
const buildCaps = memoize((caller: Caller) => ({
  key:
    caller.limit === undefined
      ? undefined
      : Limit.makeLimitResolver(toKeyCap(caller, caller.limit)),
  workspace: buildWorkspaceCaps(caller, false),
  workspaceWithByok: buildWorkspaceCaps(caller, true),
  guardrail: memoize((guardrail: Guardrail) =>
    toGuardrailCaps(caller, guardrail).map(Limit.makeLimitResolver)
  )
}))

/** The workspace decides whether requests on customers' own credentials count. */
const buildWorkspaceCaps = (caller: Caller, countsByok: boolean) =>
  memoize((budgets: ReadonlyArray<Budget>) =>
    budgets
      .toSorted((one, other) => getBreadth(other) - getBreadth(one))
      .map((budget) => Limit.makeLimitResolver(toWorkspaceCap(caller, budget, countsByok)))
  )

/** A user of the host's own authentication has no key, so the user is the subject. */
const toKeyCap = (
  caller: Caller,
  { cap, includesByok, reset }: KeyLimit
): Limit.LimitDefinition => {
  const subject = Subject.fromCaller(caller)
  return {
    kind: "key",
    id: JSON.stringify([caller.account, subject]),
    subject,
    interval: reset ?? "lifetime",
    cap,
    countsByok: includesByok
  }
}

const toWorkspaceCap = (
  caller: Caller,
  budget: Budget,
  countsByok: boolean
): Limit.LimitDefinition => ({
  kind: "workspace",
  id: JSON.stringify([caller.account, budget.workspace_id]),
  subject: Subject.fromWorkspace(caller),
  interval: toInterval(budget),
  cap: NanoUsd.fromUsdNumber(budget.limit_usd),
  countsByok
})

/**
 * The key and the user of a caller have a limit each, and spending counts under both. The default guardrail of a
 * workspace and that of a bundle count what the user spends in that workspace; an assigned one counts all that the user
 * spends.
 */
const toGuardrailCaps = (
  caller: Caller,
  guardrail: Guardrail
): ReadonlyArray<Limit.LimitDefinition> => {
  const { id, include_byok_in_budgets, limit_usd, reset_interval } = guardrail
  const { account, keyHash, user, workspace } = caller
  const isOfWorkspace = id === toDefaultGuardrailId(workspace) || isOfBundle(guardrail)
  const toSubject = isOfWorkspace ? Subject.fromMember : Subject.fromUser
  const spenders = [
    ...(keyHash === undefined ? [] : [Subject.fromKey(keyHash)]),
    ...(user === undefined ? [] : [toSubject(caller, user)])
  ]
  return (spenders.length === 0 ? [Subject.fromHost(caller)] : spenders).map((subject) => ({
    kind: "guardrail",
    id: JSON.stringify([account, id, subject]),
    subject,
    interval: reset_interval ?? "lifetime",
    cap: NanoUsd.fromUsdNumber(limit_usd ?? 0),
    countsByok: include_byok_in_budgets
  }))
}

/** If several intervals are exceeded, the broadest is reported. */
const getBreadth = (budget: Budget): number => breadthByInterval[toInterval(budget)]

const breadthByInterval: Readonly<Record<Interval, number>> = {
  daily: 0,
  weekly: 1,
  monthly: 2,
  lifetime: 3
}
