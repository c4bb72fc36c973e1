/** Loads what restricts the requests of a caller: its account, guardrails and spend limits. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { AccountStore } from "../../tenants/accounts/AccountStore.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { Guardrail } from "../../tenants/guardrails/Guardrail.ts"
import { Guardrails } from "../../tenants/guardrails/Guardrails.ts"
import type { Limit } from "../../engine/ledger/Limit.ts"
import { isSuccess } from "../../values/eager.ts"
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
    readonly load: (
      caller: Caller,
      /** The `user` of the request. */
      externalUser?: string
    ) => Effect.Effect<CallerRestrictions>
  }
>()("@signalbox/core/routing/restrictions/RestrictionLoader") {
  static readonly layer = Layer.effect(
    RestrictionLoader,
    Effect.gen(function* () {
      const accounts = yield* AccountStore
      const guardrails = yield* Guardrails
      const spendLimits = yield* SpendLimits

      const loadLimits = (
        caller: Caller,
        effective: ReadonlyArray<Guardrail>,
        externalUser: string | undefined
      ): Effect.Effect<CallerRestrictions> => {
        const listing = spendLimits.listLimits(caller, effective, externalUser)
        return isSuccess(listing)
          ? loadConstraints(caller, effective, listing.value)
          : Effect.flatMap(listing, (limits) => loadConstraints(caller, effective, limits))
      }

      const loadConstraints = (
        { account }: Caller,
        effective: ReadonlyArray<Guardrail>,
        limits: ReadonlyArray<Limit>
      ): Effect.Effect<CallerRestrictions> => {
        const getting = accounts.get(account)
        return isSuccess(getting)
          ? Effect.succeed({ constraints: toConstraints(getting.value, limits, effective), limits })
          : Effect.map(getting, (found) => ({
              constraints: toConstraints(found, limits, effective),
              limits
            }))
      }

      return {
        load: (caller, externalUser) => {
          const listing = guardrails.listEffective(caller)
          return isSuccess(listing)
            ? loadLimits(caller, listing.value, externalUser)
            : Effect.flatMap(listing, (effective) => loadLimits(caller, effective, externalUser))
        }
      }
    })
  )
}
