/** Loads what restricts the requests of a caller: its account, guardrails and spend limits. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AccountStore } from "../../accounts/AccountStore.ts"
import type { Caller } from "../../auth/Caller.ts"
import { Guardrails } from "../../guardrails/Guardrails.ts"
import type { Limit } from "../../ledger/Limit.ts"
import type { Constraint } from "./Constraint.ts"
import { SpendLimits } from "./SpendLimits.ts"
import { toConstraints } from "./toConstraints.ts"

export interface CallerRestrictions {
  readonly constraints: ReadonlyArray<Constraint>
  /** The limits that the caller's spending counts under. */
  readonly limits: ReadonlyArray<Limit>
}

/** Loads the restrictions of callers. */
export class RestrictionLoader extends Context.Service<
  RestrictionLoader,
  {
    /** The restrictions in force when it is called. */
    readonly load: (caller: Caller) => Effect.Effect<CallerRestrictions>
  }
>()("@signalbox/core/routing/restrictions/RestrictionLoader") {
  static readonly layer = Layer.effect(
    RestrictionLoader,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const guardrails = yield* Guardrails
      const spendLimits = yield* SpendLimits
      return {
        load: (caller) =>
          Effect.flatMapEager(guardrails.listEffective(caller), (effective) =>
            Effect.flatMapEager(spendLimits.listLimits(caller, effective), (limits) =>
              Effect.mapEager(accounts.get(caller.account), (account) => ({
                constraints: toConstraints(account, limits, effective),
                limits
              }))
            )
          )
      }
    })
  )
}
