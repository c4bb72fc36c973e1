/** What everybody above a request restricts: the account, guardrails, limits on spending. */
import * as Effect from "effect/Effect"
import { AccountStore } from "../../accounts/AccountStore.ts"
import type { Caller } from "../../auth/Caller.ts"
import { Guardrails } from "../../guardrails/Guardrails.ts"
import type { Limit } from "../../ledger/Limit.ts"
import type { Constraint } from "./Constraint.ts"
import { toConstraints } from "./toConstraints.ts"
import { SpendLimits } from "./SpendLimits.ts"

export interface CallerRestrictions {
  readonly constraints: ReadonlyArray<Constraint>
  /** What the spending of the caller falls under. */
  readonly limits: ReadonlyArray<Limit>
}

/** As it stands at the moment it is asked. */
export const makeRestrictionLoader: Effect.Effect<
  (caller: Caller) => Effect.Effect<CallerRestrictions>,
  never,
  AccountStore | Guardrails | SpendLimits
> = Effect.gen(function* () {
  const accounts = yield* AccountStore
  const guardrails = yield* Guardrails
  const spendLimits = yield* SpendLimits
  return Effect.fnUntraced(function* (caller: Caller) {
    const effective = yield* guardrails.listEffective(caller)
    const limits = yield* spendLimits.listLimits(caller, effective)
    const account = yield* accounts.get(caller.account)
    return { constraints: toConstraints(account, limits, effective), limits }
  })
})
