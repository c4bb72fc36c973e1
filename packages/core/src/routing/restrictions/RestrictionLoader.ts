/** Loads what restricts the requests of a caller: its account, guardrails and spend limits. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { memoize } from "effect/Function"
import * as Layer from "effect/Layer"
import type { Limit } from "../../engine/ledger/Limit.ts"
import type { Account } from "../../tenants/accounts/Account.ts"
import { AccountStore } from "../../tenants/accounts/AccountStore.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import { isOfBundle } from "../../tenants/guardrails/BundleGuardrails.ts"
import type { Guardrail } from "../../tenants/guardrails/Guardrail.ts"
import { Guardrails } from "../../tenants/guardrails/Guardrails.ts"
import { isSuccess } from "../../values/eager.ts"
import type { Constraint, ModelAuthors } from "./Constraint.ts"
import { SpendLimits } from "./SpendLimits.ts"
import { isOfCandidates } from "./selectLimits.ts"

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

/** The account comes first; guardrails narrow it further. */
export const toConstraints = (
  account: Account,
  limits: ReadonlyArray<Limit>,
  guardrails: ReadonlyArray<Guardrail>
): ReadonlyArray<Constraint> => {
  const fromAccount = toAccountConstraints(account, limits)
  return guardrails.length === 0 ? fromAccount : narrow(fromAccount)(guardrails)
}

/** Memoized, so that requests of a caller have the same constraints. */
const narrow = memoize((fromAccount: ReadonlyArray<Constraint>) =>
  memoize((guardrails: ReadonlyArray<Guardrail>): ReadonlyArray<Constraint> => [
    ...fromAccount,
    ...guardrails.map(fromGuardrail)
  ])
)

const toAccountConstraints = (
  account: Account,
  limits: ReadonlyArray<Limit>
): ReadonlyArray<Constraint> => {
  const { dataCollection, ignore, only, zdr } = account
  const counted = findCounted(limits)
  return only === undefined && ignore === undefined && !zdr && dataCollection !== "deny"
    ? unrestrictedConstraints[counted]
    : toRestrictedConstraints(account)[counted]
}

/**
 * The requests that count as spending: none, requests on shared capacity, or also those on customers' own credentials.
 */
type ConstraintsByCounting = Readonly<
  Record<"nothing" | "shared" | "all", ReadonlyArray<Constraint>>
>

/** A limit that only warns, or that other endpoints are free of, leaves every endpoint in the plan. */
const findCounted = (limits: ReadonlyArray<Limit>): keyof ConstraintsByCounting => {
  let counted: keyof ConstraintsByCounting = "nothing"
  for (const limit of limits) {
    if (limit.soft === true || isOfCandidates(limit)) continue
    if (limit.countsByok) return "all"
    counted = "shared"
  }
  return counted
}

const groupByCounting = (constraint: Constraint): ConstraintsByCounting => ({
  nothing: [constraint],
  shared: [{ ...constraint, budgeted: true }],
  all: [{ ...constraint, budgeted: true, countsByok: true }]
})

const unrestrictedConstraints: ConstraintsByCounting = {
  ...groupByCounting({ source: "account" }),
  nothing: []
}

// Memoized, because accounts and guardrails are immutable.
const toRestrictedConstraints = memoize(({ dataCollection, ignore, only, zdr }: Account) =>
  groupByCounting({
    source: "account",
    zdr: zdr === true,
    denyDataCollection: dataCollection === "deny",
    ...(only === undefined ? undefined : { only }),
    ...(ignore === undefined ? undefined : { ignore })
  })
)

const fromGuardrail = memoize((guardrail: Guardrail): Constraint => {
  const { allowed_data_regions, allowed_models, allowed_providers } = guardrail
  const { ignored_models, ignored_providers } = guardrail
  const denyTraining = [
    ...(guardrail.enable_free_model_training === false ? (["free"] as const) : []),
    ...(guardrail.enable_paid_model_training === false ? (["paid"] as const) : [])
  ]
  return {
    source: isOfBundle(guardrail) ? guardrail.name : `guardrail ${guardrail.name}`,
    ...(allowed_providers === null ? undefined : { only: allowed_providers }),
    ...(ignored_providers === null ? undefined : { ignore: ignored_providers }),
    ...(allowed_models === null ? undefined : { onlyModels: allowed_models }),
    ...(ignored_models === null ? undefined : { ignoreModels: ignored_models }),
    ...(allowed_data_regions === null ? undefined : { regions: allowed_data_regions }),
    ...toZdr(guardrail),
    ...(guardrail.enforce_no_store === true ? { noStore: true } : undefined),
    ...(denyTraining.length === 0 ? undefined : { denyTraining }),
    ...(guardrail.enable_free_model_publication === false
      ? { denyFreeCollection: true }
      : undefined),
    ...(typeof guardrail.keep_content === "boolean"
      ? { keepContent: guardrail.keep_content }
      : undefined),
    ...(guardrail.limit_usd === null ? undefined : { hasSpendLimit: true })
  }
})

/** A flag that is not set takes the value of `enforce_zdr`. */
const toZdr = (
  guardrail: Guardrail
): { readonly zdr?: boolean; readonly zdrAuthors?: ModelAuthors } => {
  const isEnforced = guardrail.enforce_zdr === true
  const isAllBut = guardrail.enforce_zdr_other ?? isEnforced
  const authors = Object.entries({
    anthropic: guardrail.enforce_zdr_anthropic,
    google: guardrail.enforce_zdr_google,
    openai: guardrail.enforce_zdr_openai,
    "x-ai": guardrail.enforce_zdr_xai
  }).flatMap(([author, flag]) => ((flag ?? isEnforced) === isAllBut ? [] : [author]))
  if (authors.length === 0) return isAllBut ? { zdr: true } : {}
  return { zdrAuthors: { authors, isAllBut } }
}
