/** A bundle as the host writes it in code. */
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type { Bundle, BundleBudget } from "../../tenants/auth/bundles/Bundle.ts"
import { KeyRateLimit, ParallelRequests, TokenRateLimit } from "../../tenants/auth/keys/ApiKey.ts"
import { GuardrailPatch } from "../../tenants/guardrails/Guardrail.ts"
import { intervals } from "../../tenants/workspaces/Budget.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { isMaxCharacters } from "../../values/validation/text.ts"

/** USD, above 0. */
const Usd = Schema.optionalKey(Schema.Finite.check(Schema.isGreaterThan(0)))

const budgetFields = { daily: Usd, weekly: Usd, monthly: Usd, lifetime: Usd }

const guardrailFields = Struct.omit(GuardrailPatch.fields, ["allowed_models", "name"])

const configFields = {
  budget: Schema.optionalKey(Schema.Struct(budgetFields)),
  includeByokInBudget: Schema.optionalKey(Schema.Boolean),
  models: Schema.optionalKey(
    Schema.Array(Schema.NonEmptyString.check(isMaxCharacters(200))).check(
      Schema.isMinLength(1),
      Schema.isMaxLength(1_000)
    )
  ),
  guardrail: Schema.optionalKey(Schema.Struct(guardrailFields)),
  rateLimit: Schema.optionalKey(KeyRateLimit),
  tokenRateLimit: Schema.optionalKey(TokenRateLimit),
  maxParallelRequests: Schema.optionalKey(ParallelRequests)
}

/** What a bundle allows each of its customers; all fields are optional, and an empty bundle limits nothing. */
export const BundleConfig = Schema.Struct(configFields)

/**
 * What a bundle allows each of its customers. All fields are optional, and an empty bundle limits nothing.
 *
 * ```ts
 * const starter: BundleConfig = { budget: { monthly: 20 }, models: ["openai/*"] }
 * ```
 */
export interface BundleConfig {
  /** USD that all requests of the customer together may cost in an interval, such as `{ monthly: 20 }`. */
  readonly budget?: {
    readonly daily?: number
    readonly weekly?: number
    readonly monthly?: number
    readonly lifetime?: number
  }
  /** Whether requests on the customer's own provider credentials count under `budget`, too; default: false. */
  readonly includeByokInBudget?: boolean
  /** The only models: slugs, or `author/*` for all of an author. Default: all. */
  readonly models?: ReadonlyArray<string>
  /**
   * Further restrictions, in the fields of `signalbox.guardrails.create`, such as `{ enforce_zdr: true }`. `limit_usd` is
   * what each key and each user of the customer may spend.
   */
  readonly guardrail?: BundleGuardrail
  /** Requests of all keys and users of the customer together, in addition to the rate limit of each. */
  readonly rateLimit?: KeyRateLimit
  /** Tokens that all keys and users of the customer together may use in a window. */
  readonly tokenRateLimit?: TokenRateLimit
  /** Requests to models that all of them together may run in parallel. */
  readonly maxParallelRequests?: number
}

/** The fields of a guardrail that a bundle may set. */
export type BundleGuardrail = Omit<GuardrailPatch, "allowed_models" | "name">

/** The names of the fields, by what they are fields of. */
export const bundleFieldNames = {
  bundle: configFields,
  budget: budgetFields,
  guardrail: guardrailFields
}

/** What requests look up, without the guardrail. */
export const toBundle = (
  name: string,
  {
    budget = {},
    includeByokInBudget = false,
    maxParallelRequests,
    rateLimit,
    tokenRateLimit
  }: BundleConfig
): Bundle => ({
  name,
  countsByok: includeByokInBudget,
  budgets: intervals.toReversed().flatMap((interval): ReadonlyArray<BundleBudget> => {
    const limitUsd = budget[interval]
    return limitUsd === undefined ? [] : [{ interval, limitUsd }]
  }),
  ...omitUndefined({ maxParallelRequests, rateLimit, tokenRateLimit })
})

/** Undefined when the bundle has no guardrail. */
export const toBundleGuardrail = ({
  guardrail = {},
  models
}: BundleConfig): GuardrailPatch | undefined => {
  const patch = { ...guardrail, ...(models === undefined ? undefined : { allowed_models: models }) }
  return Object.keys(patch).length === 0 ? undefined : patch
}
