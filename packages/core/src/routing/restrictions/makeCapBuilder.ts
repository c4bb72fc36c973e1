/** The caps of a caller: of its key or user, its workspace, its guardrails, and the budgets of what it spends on. */
import { memoize } from "effect/Function"
import type { Calendar } from "../../engine/ledger/Calendar.ts"
import type { Interval } from "../../engine/ledger/Interval.ts"
import * as Limit from "../../engine/ledger/Limit.ts"
import * as Subject from "../../engine/ledger/Subject.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { GrantedLimit } from "../../tenants/auth/keys/KeyLimit.ts"
import { toKeyCap } from "../../tenants/auth/keys/findRemaining.ts"
import { isOfBundle } from "../../tenants/guardrails/BundleGuardrails.ts"
import type { Guardrail } from "../../tenants/guardrails/Guardrail.ts"
import { type Budget, toInterval } from "../../tenants/workspaces/Budget.ts"
import {
  type AnyBudget,
  countsEachValue,
  isIntervalBudget,
  isOfTags,
  isScopedBudget,
  type ScopedBudget
} from "../../tenants/workspaces/ScopedBudget.ts"
import { toDefaultGuardrailId } from "../../tenants/workspaces/Workspace.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"

type LimitResolver = (now: number) => Limit.Limit

/** The caps of a caller. Memoized, because callers, guardrails and budgets are immutable. */
export const makeCapBuilder = (calendar: Calendar) => {
  const toResolver = (cap: Limit.LimitDefinition): LimitResolver =>
    Limit.makeLimitResolver(calendar, cap)
  /** The workspace decides whether requests on customers' own credentials count. */
  const buildWorkspaceCaps = (caller: Caller, countsByok: boolean) =>
    memoize((budgets: ReadonlyArray<AnyBudget>): ReadonlyArray<LimitResolver> =>
      budgets
        .filter(isIntervalBudget)
        .toSorted((one, other) => getBreadth(other) - getBreadth(one))
        .map((budget) => toResolver(toWorkspaceCap(caller, budget, countsByok)))
    )
  /** Shared by callers, who may be many thousands times the budgets; a budget is of one account. */
  const scopedResolvers = new WeakMap<ScopedBudget, LimitResolver>()
  const toScopedResolver = (account: AccountId, budget: ScopedBudget): LimitResolver => {
    const known = scopedResolvers.get(budget)
    if (known !== undefined) return known
    const resolver = toResolver(toBudgetCap(account, budget))
    scopedResolvers.set(budget, resolver)
    return resolver
  }
  return memoize((caller: Caller) => ({
    key: caller.limit === undefined ? undefined : toResolver(toKeyCap(caller, caller.limit)),
    granted:
      caller.grantedLimit === undefined
        ? undefined
        : toResolver(toGrantedCap(caller, caller.grantedLimit)),
    workspace: buildWorkspaceCaps(caller, false),
    workspaceWithByok: buildWorkspaceCaps(caller, true),
    guardrail: memoize((guardrail: Guardrail) =>
      toGuardrailCaps(caller, guardrail).map(toResolver)
    ),
    scoped: memoize((budgets: ReadonlyArray<AnyBudget>): ReadonlyArray<LimitResolver> =>
      budgets
        .filter(isScopedBudget)
        .filter((budget) => !countsEachValue(budget) && isOfTags(budget.scope, caller.tags))
        .map((budget) => toScopedResolver(caller.account, budget))
    ),
    /** The budgets that count each value by itself, of which the request says the value. */
    ofValues: memoize((budgets: ReadonlyArray<AnyBudget>): ReadonlyArray<ScopedBudget> =>
      budgets
        .filter(isScopedBudget)
        .filter((budget) => countsEachValue(budget) && isOfTags(budget.scope, caller.tags))
    )
  }))
}

export type CallerCaps = ReturnType<ReturnType<typeof makeCapBuilder>>

/** The same counter as that of who consented. */
const toGrantedCap = (
  { account }: Caller,
  { cap, includesByok, reset, soft, subject }: GrantedLimit
): Limit.LimitDefinition => ({
  kind: "key",
  id: JSON.stringify([account, subject]),
  subject: Subject.parse(subject),
  interval: reset ?? "lifetime",
  cap,
  countsByok: includesByok,
  ...(soft === true ? { soft } : undefined)
})

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
  countsByok,
  ...(budget.soft === true ? { soft: true } : undefined)
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
  const { id, include_byok_in_budgets, limit_usd, reset_interval, soft_limit } = guardrail
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
    countsByok: include_byok_in_budgets,
    ...(soft_limit === true ? { soft: true } : undefined)
  }))
}

/** Without a subject: what was spent before the budget was set does not count. */
export const toBudgetCap = (account: AccountId, budget: ScopedBudget): Limit.LimitDefinition => {
  const { id, include_byok_in_budgets, limit_usd, name, scope, soft } = budget
  const { external_user, model, provider } = scope
  const counted: Limit.LimitScope = {
    ...(model === undefined ? undefined : { model: model.toLowerCase() }),
    ...(provider === undefined ? undefined : { provider: provider.toLowerCase() }),
    ...(external_user === undefined ? undefined : { externalUser: external_user })
  }
  return {
    kind: "budget",
    id: JSON.stringify([account, id]),
    name,
    interval: toInterval(budget),
    cap: NanoUsd.fromUsdNumber(limit_usd),
    countsByok: include_byok_in_budgets,
    ...(soft ? { soft: true } : undefined),
    ...(Object.keys(counted).length === 0 ? undefined : { scope: counted })
  }
}

/** If several intervals are exceeded, the broadest is reported. */
const getBreadth = (budget: Budget): number => breadthByInterval[toInterval(budget)]

const breadthByInterval: Readonly<Record<Interval, number>> = {
  daily: 0,
  weekly: 1,
  monthly: 2,
  lifetime: 3
}
