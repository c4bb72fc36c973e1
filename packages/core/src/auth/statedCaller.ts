/** Whom a host says somebody is: without a compiler it may say anything, and nobody may pass for another. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { AccountId } from "../values/AccountId.ts"
import type { InvalidRequest } from "../values/RequestErrors.ts"
import { schemaProblem } from "../values/schemaProblem.ts"
import { UserId } from "../values/UserId.ts"
import { WorkspaceId } from "../values/WorkspaceId.ts"
import { KeyHash } from "../values/KeyHash.ts"
import { NanoUsd } from "../values/NanoUsd.ts"
import { ApiKey, KeyKind, KeyRateLimit } from "./ApiKey.ts"
import type { Caller } from "./Caller.ts"

/** The compiler sees to it that none is forgotten. */
const fields = {
  account: AccountId,
  workspace: WorkspaceId,
  kind: Schema.Literals([...KeyKind.literals, "host"]),
  user: Schema.optional(UserId),
  keyHash: Schema.optional(KeyHash),
  limit: Schema.optional(
    Schema.Struct({
      cap: NanoUsd,
      reset: ApiKey.fields.limit_reset,
      includesByok: Schema.Boolean
    })
  ),
  rateLimit: Schema.optional(KeyRateLimit),
  ownRateLimit: Schema.optional(KeyRateLimit)
} satisfies Record<keyof Caller, Schema.Top>

const StatedCaller = Schema.Struct(fields)

const anything = Schema.optional(Schema.Unknown)

/** What may stand beside a request in process, whichever call it is. */
const CallOptions = Schema.Struct({
  caller: Schema.optional(StatedCaller),
  signal: Schema.optional(
    Schema.declare((value): value is AbortSignal => Object(value).addEventListener !== undefined, {
      expected: "an AbortSignal"
    })
  ),
  acknowledgesLoss: anything,
  after: anything,
  health: anything,
  idempotencyKey: anything,
  index: anything,
  limit: anything,
  range: anything,
  seed: anything,
  statuses: anything
})

const decodeCaller = Schema.decodeUnknownResult(StatedCaller)
const decodeCallOptions = Schema.decodeUnknownResult(CallOptions, { onExcessProperty: "error" })

/** What is wrong with a caller, and where; undefined: nothing. */
export const callerProblem = (caller: unknown): InvalidRequest | undefined =>
  problemOf(decodeCaller(caller))

/** The same of all that is given beside a request: who gives a caller for the options is told so. */
export const callOptionsProblem = (options: unknown): InvalidRequest | undefined =>
  options === undefined ? undefined : problemOf(decodeCallOptions(options))

const problemOf = (
  decoded: Result.Result<unknown, Schema.SchemaError>
): InvalidRequest | undefined =>
  Result.isSuccess(decoded) ? undefined : schemaProblem(decoded.failure)
