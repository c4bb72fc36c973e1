/** The limits that a caller's spending counts under; a reservation is made under all of them. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { memoize } from "effect/Function"
import * as Layer from "effect/Layer"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { Guardrail } from "../../tenants/guardrails/Guardrail.ts"
import { getCalendar } from "../../engine/ledger/Calendar.ts"
import { Ledger } from "../../engine/ledger/Ledger.ts"
import * as Limit from "../../engine/ledger/Limit.ts"
import { Settings } from "../../instance/Settings.ts"
import { type Budget, toInterval } from "../../tenants/workspaces/Budget.ts"
import { isSuccess } from "../../values/eager.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import {
  type AnyBudget,
  countsEachValue,
  fillScope,
  isIntervalBudget,
  type ScopedBudget
} from "../../tenants/workspaces/ScopedBudget.ts"
import { WorkspaceStore } from "../../tenants/workspaces/WorkspaceStore.ts"
import * as Step from "../../values/Step.ts"
import { makeBudgetValues, toSharedCap } from "./makeBudgetValues.ts"
import { type CallerCaps, makeCapBuilder, toBudgetCap } from "./makeCapBuilder.ts"

/** Finds the limits that a caller's spending falls under. */
export class SpendLimits extends Context.Service<
  SpendLimits,
  {
    /** The current limits; none means unlimited. Of several exceeded limits the first is reported. */
    readonly listLimits: (
      caller: Caller,
      guardrails: ReadonlyArray<Guardrail>,
      /** The `user` of the request. */
      externalUser?: string
    ) => Effect.Effect<ReadonlyArray<Limit.Limit>>
    /** The current limit of a budget for all callers; with `*` in its scope, that of the counter that values without one share. */
    readonly toBudgetLimit: (account: AccountId, budget: ScopedBudget) => Limit.Limit
  }
>()("@signalbox/core/routing/restrictions/SpendLimits") {
  static readonly layer = Layer.effect(
    SpendLimits,
    Effect.gen(function* () {
      const clock = yield* Clock.Clock
      const ledger = yield* Ledger
      const workspaces = yield* WorkspaceStore
      const calendar = getCalendar(yield* Settings)
      const buildCaps = makeCapBuilder(calendar)
      const findValueLimit = yield* makeBudgetValues
      /** Lists from stores are immutable, and stay the same object until they change. */
      const latestLimits = new WeakMap<Caller, LatestLimits>()

      const getLimits = (
        caller: Caller,
        credits: ReadonlyArray<Limit.Limit>,
        guardrails: ReadonlyArray<Guardrail>,
        budgets: ReadonlyArray<AnyBudget>,
        countsByok: boolean,
        externalUser: string | undefined
      ): ReadonlyArray<Limit.Limit> => {
        const isUnlimited = caller.limit === undefined && caller.grantedLimit === undefined
        if (isUnlimited && budgets.length === 0 && !guardrails.some(hasBudget)) return credits
        const now = clock.currentTimeMillisUnsafe()
        const latest = latestLimits.get(caller)
        if (
          latest !== undefined &&
          latest.guardrails === guardrails &&
          latest.budgets === budgets &&
          latest.countsByok === countsByok &&
          latest.credits === credits
        ) {
          latest.limits = Limit.refreshLimits(calendar, now, latest.limits)
          return latest.dependsOnUser ? keepUser(latest.limits, externalUser) : latest.limits
        }
        const caps = buildCaps(caller)
        const limits = resolveLimits(now, caps, credits, guardrails, budgets, countsByok)
        const dependsOnUser = limits.some(({ scope }) => scope?.externalUser !== undefined)
        latestLimits.set(caller, {
          credits,
          guardrails,
          budgets,
          countsByok,
          dependsOnUser,
          limits
        })
        return dependsOnUser ? keepUser(limits, externalUser) : limits
      }

      const addBudgets = (
        caller: Caller,
        guardrails: ReadonlyArray<Guardrail>,
        credits: ReadonlyArray<Limit.Limit>,
        externalUser: string | undefined
      ): Effect.Effect<ReadonlyArray<Limit.Limit>> => {
        const { account, workspace } = caller
        const { bundle } = caller
        const own = workspaces.budgets(account, workspace)
        const listing =
          bundle === undefined ? own : Step.map(own, (budgets) => addBundleBudgets(caller, budgets))
        if (isSuccess(listing) && listing.value.length === 0) {
          const limits = getLimits(caller, credits, guardrails, listing.value, false, undefined)
          return Effect.succeed(limits)
        }
        return Step.flatMap(listing, (budgets) =>
          Step.flatMap(workspaces.findById(account, workspace), (spending) => {
            const countsByok =
              spending?.include_byok_in_budgets === true || bundle?.countsByok === true
            const limits = getLimits(caller, credits, guardrails, budgets, countsByok, externalUser)
            const ofValues = buildCaps(caller).ofValues(budgets)
            return ofValues.length === 0
              ? Effect.succeed(limits)
              : addValues(caller, ofValues, limits, externalUser)
          })
        )
      }

      /** Adds the limits of the values of this request; one without a value is not counted. */
      const addValues = (
        { account, tags }: Caller,
        budgets: ReadonlyArray<ScopedBudget>,
        others: ReadonlyArray<Limit.Limit>,
        externalUser: string | undefined
      ): Effect.Effect<ReadonlyArray<Limit.Limit>> => {
        let adding: Effect.Effect<ReadonlyArray<Limit.Limit>> = Effect.succeed(others)
        for (const budget of budgets) {
          const scope = fillScope(budget.scope, tags, externalUser)
          if (scope === undefined) continue
          adding = Step.flatMap(adding, (limits) =>
            Step.map(findValueLimit(account, budget, scope), (limit) => [...limits, limit])
          )
        }
        return adding
      }

      return {
        listLimits: (caller, guardrails, externalUser) => {
          const listing = ledger.listCreditLimits(caller.account)
          return isSuccess(listing)
            ? addBudgets(caller, guardrails, listing.value, externalUser)
            : Effect.flatMap(listing, (credits) =>
                addBudgets(caller, guardrails, credits, externalUser)
              )
        },
        toBudgetLimit: (account, budget) =>
          Limit.resolveLimit(
            calendar,
            clock.currentTimeMillisUnsafe(),
            countsEachValue(budget) ? toSharedCap(account, budget) : toBudgetCap(account, budget)
          )
      }
    })
  )
}

/** The latest limits of a caller, and what they were made of. */
interface LatestLimits {
  readonly credits: ReadonlyArray<Limit.Limit>
  readonly guardrails: ReadonlyArray<Guardrail>
  readonly budgets: ReadonlyArray<AnyBudget>
  readonly countsByok: boolean
  /** Whether some of them count one external user alone. */
  readonly dependsOnUser: boolean
  limits: ReadonlyArray<Limit.Limit>
}

const resolveLimits = (
  now: number,
  capped: CallerCaps,
  credits: ReadonlyArray<Limit.Limit>,
  guardrails: ReadonlyArray<Guardrail>,
  budgets: ReadonlyArray<AnyBudget>,
  countsByok: boolean
): ReadonlyArray<Limit.Limit> => {
  const limits = [...credits]
  if (capped.key !== undefined) limits.push(capped.key(now))
  if (capped.granted !== undefined) limits.push(capped.granted(now))
  const caps = countsByok ? capped.workspaceWithByok : capped.workspace
  for (const limitAt of caps(budgets)) limits.push(limitAt(now))
  for (const guardrail of guardrails) {
    if (!hasBudget(guardrail)) continue
    for (const limitAt of capped.guardrail(guardrail)) limits.push(limitAt(now))
  }
  for (const limitAt of capped.scoped(budgets)) limits.push(limitAt(now))
  return limits
}

const hasBudget = ({ limit_usd }: Guardrail): boolean => limit_usd !== null

/** The limits of a request with this `user`. */
const keepUser = (
  limits: ReadonlyArray<Limit.Limit>,
  externalUser: string | undefined
): ReadonlyArray<Limit.Limit> =>
  limits.filter(
    ({ scope }) => scope?.externalUser === undefined || scope.externalUser === externalUser
  )

/**
 * The budgets of a caller: those of its workspace, and those of its bundle. A budget of the workspace takes the place
 * of that of the bundle with the same interval, so that one customer may have more or less. Memoized, because
 * requests of a caller have their budgets in common.
 */
const addBundleBudgets = (
  caller: Caller,
  own: ReadonlyArray<AnyBudget>
): ReadonlyArray<AnyBudget> => addTo(caller)(own)

const addTo = memoize((caller: Caller) => {
  const { bundle, workspace } = caller
  const budgets = (bundle?.budgets ?? []).map(({ interval, limitUsd }): Budget => ({
    id: `bundle ${interval}`,
    workspace_id: workspace,
    limit_usd: limitUsd,
    reset_interval: interval === "lifetime" ? null : interval,
    created_at: "",
    updated_at: ""
  }))
  return memoize((own: ReadonlyArray<AnyBudget>): ReadonlyArray<AnyBudget> => {
    const replaced = new Set(own.filter(isIntervalBudget).map(toInterval))
    return [...own, ...budgets.filter((budget) => !replaced.has(toInterval(budget)))]
  })
})
