/** What everybody above a request restricts: the account, guardrails, limits on spending. */
import * as Effect from "effect/Effect"
import { AccountStore } from "../accounts/AccountStore.ts"
import type { Caller } from "../auth/Caller.ts"
import { Guardrails } from "../guardrails/Guardrails.ts"
import type { Limit } from "../ledger/Limit.ts"
import type { Constraint } from "./Constraint.ts"
import { constraintsOf } from "./constraintsOf.ts"
import { SpendLimits } from "./SpendLimits.ts"

export interface Restricting {
  readonly constraints: ReadonlyArray<Constraint>
  /** What the spending of the caller falls under. */
  readonly limits: ReadonlyArray<Limit>
}

/** As it stands at the moment it is asked. */
export const restricting: Effect.Effect<
  (caller: Caller) => Effect.Effect<Restricting>,
  never,
  AccountStore | Guardrails | SpendLimits
> = Effect.gen(function* () {
  const accounts = yield* AccountStore
  const guardrails = yield* Guardrails
  const spendLimits = yield* SpendLimits
  return Effect.fnUntraced(function* (caller: Caller) {
    const effective = yield* guardrails.effective(caller)
    const limits = yield* spendLimits.of(caller, effective)
    const account = yield* accounts.find(caller.account)
    return { constraints: constraintsOf(account, limits, effective), limits }
  })
})
