/** A caller as a host writes one: ids are plain text, and money is USD, as in a key. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { AccountId } from "../values/ids/AccountId.ts"
import { KeyHash } from "../values/ids/KeyHash.ts"
import { NanoUsd } from "../values/usage/NanoUsd.ts"
import { InvalidRequest } from "../values/errors/RequestErrors.ts"
import { toInvalidRequest } from "../values/errors/toInvalidRequest.ts"
import { UserId } from "../values/ids/UserId.ts"
import { ApiKey, type KeyKind, KeyKind as AnyKeyKind, KeyRateLimit } from "./ApiKey.ts"
import type { KeyLimit } from "./KeyLimit.ts"

/**
 * What `Options.authenticate` returns, and what a call in process takes as `caller`. Every `Caller` is one too.
 *
 * ```ts
 * const ada: CallerConfig = { account: "acme", user: "ada", limit: 5, limitReset: "daily" }
 * ```
 */
export interface CallerConfig {
  /** Default: `default`. */
  readonly account?: string
  /**
   * The id or the slug of a workspace of the account; `default` is the default one, unless another has that
   * slug. One that does not exist is refused. Default: the default one.
   */
  readonly workspace?: string
  /** Default: `member` for a request, `host` for a call in process. */
  readonly kind?: KeyKind | "host"
  /** Whether it administers the account like a management key, beside what its kind lets it do. Default: no. */
  readonly canManage?: boolean
  /** The member it acts for, at most 256 characters; a `member` has one. */
  readonly user?: string
  /**
   * USD it may spend between two resets, 0 to 1e12, counted for the user in the workspace; default: as much as the
   * account has. A `KeyLimit` says the same as a `Caller` does.
   */
  readonly limit?: number | null | KeyLimit
  /** When its spending counts from zero again, in UTC, weeks from Monday; default: never. */
  readonly limitReset?: "daily" | "weekly" | "monthly" | null
  /** Whether what is spent on the account's own provider credentials counts too; default: no. */
  readonly includeByokInLimit?: boolean
  /** How often it may call, in place of `settings.rateLimit`. */
  readonly rateLimit?: KeyRateLimit
  /** How often it may call at most, whatever `rateLimit` and `settings.rateLimit` allow. */
  readonly ownRateLimit?: KeyRateLimit
  /** Names the key of the host that it calls with, as a SHA-256 in hex: spending and rate are counted for the key then. */
  readonly keyHash?: string
}

/** The compiler sees to it that none is forgotten. */
const callerFields = {
  account: Schema.optionalKey(AccountId),
  workspace: Schema.optionalKey(Schema.NonEmptyString),
  kind: Schema.optionalKey(Schema.Literals([...AnyKeyKind.literals, "host"])),
  canManage: Schema.optionalKey(Schema.Boolean),
  user: Schema.optionalKey(UserId),
  limit: Schema.optionalKey(
    Schema.Union([
      ApiKey.fields.limit,
      Schema.Struct({
        cap: NanoUsd,
        reset: ApiKey.fields.limit_reset,
        includesByok: Schema.Boolean
      })
    ])
  ),
  limitReset: Schema.optionalKey(ApiKey.fields.limit_reset),
  includeByokInLimit: Schema.optionalKey(Schema.Boolean),
  rateLimit: Schema.optionalKey(KeyRateLimit),
  ownRateLimit: Schema.optionalKey(KeyRateLimit),
  keyHash: Schema.optionalKey(KeyHash)
} satisfies Record<keyof CallerConfig, Schema.Top>

const ValidatedCallerSchema = Schema.Struct(callerFields)

/** The same with its fields checked; whether its workspace exists is not known yet. */
export type ValidatedCaller = typeof ValidatedCallerSchema.Type

const decode = Schema.decodeUnknownResult(ValidatedCallerSchema, { onExcessProperty: "error" })

/** Without a compiler a host may say anything, and nobody may pass for another: `kind` is what it is by default. */
export const validateCaller = (
  config: unknown,
  kind: NonNullable<CallerConfig["kind"]>
): Result.Result<ValidatedCaller & Pick<Required<ValidatedCaller>, "kind">, InvalidRequest> => {
  const decoded = decode(config)
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
