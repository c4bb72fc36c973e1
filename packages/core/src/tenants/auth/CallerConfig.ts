/** A caller as a host configures it: with plain ids and money in USD. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { AccountId, KeyHash, UserId } from "../../values/ids/Ids.ts"
import { NanoUsd } from "../../values/usage/NanoUsd.ts"
import { isObject } from "../../values/json/guards.ts"
import { Tags } from "../../values/Tags.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { toInvalidRequest } from "../../values/errors/toInvalidRequest.ts"
import {
  ApiKey,
  type KeyKind,
  KeyKind as AnyKeyKind,
  KeyRateLimit,
  ParallelRequests,
  TokenRateLimit
} from "./keys/ApiKey.ts"
import type { Bundle } from "./bundles/Bundle.ts"
import type { GrantedLimit, KeyLimit } from "./keys/KeyLimit.ts"

/**
 * The result of `Options.authenticate`, and the `caller` of a call in process. Every `Caller` is a `CallerConfig` too. A
 * field that is undefined counts as absent, except `user`: without its user a caller would have fewer limits.
 *
 * ```ts
 * const ada: CallerConfig = { account: "acme", user: "ada", limit: 5, limitReset: "daily" }
 * ```
 */
export interface CallerConfig {
  /** Default: `default`. */
  readonly account?: string | undefined
  /**
   * The id or slug of an existing workspace of the account. `default` is the default workspace, unless another one
   * has that slug. Default: the default workspace.
   */
  readonly workspace?: string | undefined
  /** Default: `member` for a request, `host` for a call in process. */
  readonly kind?: KeyKind | "host" | undefined
  /** Whether it also administers the account like a management key; default: false. */
  readonly canManage?: boolean | undefined
  /** The member it acts for, 1 to 256 characters; required for the kind `member`. */
  readonly user?: string
  /**
   * What its requests are told apart by, such as `{ customer: "acme", feature: "search" }`: up to 8 pairs that records,
   * figures and broadcasts have. Keys have 1 to 64 letters, digits and `_.-`, values 1 to 256 characters. Default: none.
   */
  readonly tags?: Readonly<Record<string, string>> | undefined
  /**
   * USD it may spend between two resets, 0 to 1e12, counted for the user in the workspace; or a `KeyLimit`. Default:
   * no limit besides the credits of the account.
   */
  readonly limit?: number | null | KeyLimit | undefined
  /** When its spend is reset, by `settings.limitTimeZone`; default: never. */
  readonly limitReset?: "daily" | "weekly" | "monthly" | null | undefined
  /** Whether spending on the account's own provider credentials counts too; default: false. */
  readonly includeByokInLimit?: boolean | undefined
  /** Its rate limit, in place of `settings.rateLimit`. */
  readonly rateLimit?: KeyRateLimit | undefined
  /** A rate limit that applies in addition. */
  readonly ownRateLimit?: KeyRateLimit | undefined
  /** The tokens it may use in a window, in place of `settings.tokenRateLimit`. */
  readonly tokenRateLimit?: TokenRateLimit | undefined
  /** A limit of tokens that applies in addition. */
  readonly ownTokenRateLimit?: TokenRateLimit | undefined
  /** The requests it may run in parallel, 1 to 1e6, in place of `settings.maxParallelRequests`. */
  readonly maxParallelRequests?: number | undefined
  /** A limit of parallel requests that applies in addition. */
  readonly ownMaxParallelRequests?: number | undefined
  /** The SHA-256, in hex, of its key in the system of the host; spending and rate are then counted per key. */
  readonly keyHash?: string | undefined
  /** The limit of who consented to the key of a `Caller`; its spending counts under that, too. */
  readonly grantedLimit?: GrantedLimit | undefined
  /** Of a `Caller`: who consented to its key, with whom rate limits count it together. */
  readonly rateOwner?: string | undefined
  /** Of a `Caller`; its workspace decides, so it has no effect. */
  readonly bundle?: Bundle | undefined
}

/** `satisfies` makes the compiler reject a missing field. */
const keyLimitFields = {
  cap: NanoUsd,
  reset: ApiKey.fields.limit_reset,
  includesByok: Schema.Boolean,
  soft: Schema.optionalKey(Schema.Literal(true))
}

const callerFields = {
  account: Schema.optionalKey(AccountId),
  workspace: Schema.optionalKey(Schema.NonEmptyString),
  kind: Schema.optionalKey(Schema.Literals([...AnyKeyKind.literals, "host"])),
  canManage: Schema.optionalKey(Schema.Boolean),
  user: Schema.optionalKey(UserId),
  tags: Schema.optionalKey(Tags),
  limit: Schema.optionalKey(Schema.Union([ApiKey.fields.limit, Schema.Struct(keyLimitFields)])),
  limitReset: Schema.optionalKey(ApiKey.fields.limit_reset),
  includeByokInLimit: Schema.optionalKey(Schema.Boolean),
  rateLimit: Schema.optionalKey(KeyRateLimit),
  ownRateLimit: Schema.optionalKey(KeyRateLimit),
  tokenRateLimit: Schema.optionalKey(TokenRateLimit),
  ownTokenRateLimit: Schema.optionalKey(TokenRateLimit),
  maxParallelRequests: Schema.optionalKey(ParallelRequests),
  ownMaxParallelRequests: Schema.optionalKey(ParallelRequests),
  keyHash: Schema.optionalKey(KeyHash),
  grantedLimit: Schema.optionalKey(
    Schema.Struct({ ...keyLimitFields, subject: Schema.NonEmptyString })
  ),
  rateOwner: Schema.optionalKey(Schema.NonEmptyString),
  bundle: Schema.optionalKey(
    Schema.Unknown.check(
      Schema.makeFilter((bundle) =>
        isObject(bundle) ? undefined : "is that of the workspace; leave it out"
      )
    )
  )
} satisfies Record<keyof CallerConfig, Schema.Top>

const ValidatedCallerSchema = Schema.Struct(callerFields)

/** A config with valid fields; its workspace may not exist. */
export type ValidatedCaller = typeof ValidatedCallerSchema.Type

const decode = Schema.decodeUnknownResult(ValidatedCallerSchema, { onExcessProperty: "error" })

/** Sessions often have fields without a value. */
const omitMissing = (config: Readonly<Record<string, unknown>>): object => ({
  ...omitUndefined(config),
  ...(Object.hasOwn(config, "user") ? { user: config["user"] } : undefined)
})

/** Rejects unknown fields and wrong types, because a host may use plain JavaScript; `kind` is the default kind. */
export const validateCaller = (
  config: unknown,
  kind: NonNullable<CallerConfig["kind"]>
): Result.Result<ValidatedCaller & Pick<Required<ValidatedCaller>, "kind">, InvalidRequest> => {
  const decoded = decode(isObject(config) ? omitMissing(config) : config)
  if (Result.isFailure(decoded)) return Result.fail(toInvalidRequest(decoded.failure))
  const validated = { kind, ...decoded.success }
  if (validated.kind === "member" && validated.user === undefined) {
    return failInvalid("user", 'missing; a member acts for one, and kind: "organization" for none')
  }
  const { limit } = validated
  const isKeyLimit = typeof limit === "object" && limit !== null
  for (const name of ["limitReset", "includeByokInLimit"] as const) {
    if (isKeyLimit && validated[name] !== undefined) {
      return failInvalid(
        name,
        "the limit says that itself; give the limit in USD, or leave this out"
      )
    }
  }
  return Result.succeed(validated)
}

const failInvalid = (name: string, problem: string) =>
  Result.fail(new InvalidRequest({ path: [name], problem }))
