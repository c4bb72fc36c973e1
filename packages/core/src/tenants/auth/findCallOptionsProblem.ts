/** Validates the options of a call in process; `Callers` validates the caller itself. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { toInvalidRequest } from "../../values/errors/toInvalidRequest.ts"

const anyValue = Schema.optional(Schema.Unknown)

/** The options of all calls. Unknown ones are rejected, for example the fields of a caller outside of `caller`. */
const CallOptions = Schema.Struct({
  affinity: anyValue,
  betas: Schema.optional(Schema.Array(Schema.String)),
  cache: Schema.optional(
    Schema.Union([
      Schema.Boolean,
      Schema.Struct({
        ttlSeconds: Schema.optional(
          Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 86_400 }))
        ),
        clear: Schema.optional(Schema.Boolean),
        match: Schema.optional(Schema.Literal("exact"))
      })
    ])
  ),
  caller: anyValue,
  signal: Schema.optional(
    Schema.declare((value): value is AbortSignal => Object(value).addEventListener !== undefined, {
      expected: "an AbortSignal"
    })
  ),
  health: anyValue,
  idempotencyKey: anyValue,
  mount: anyValue,
  onRoute: Schema.optional(
    Schema.declare((value): value is Function => typeof value === "function", {
      expected: "a function"
    })
  ),
  range: anyValue,
  seed: anyValue
})

const decode = Schema.decodeUnknownResult(CallOptions, { onExcessProperty: "error" })

/** Undefined when the options are valid. */
export const findCallOptionsProblem = (options: unknown): InvalidRequest | undefined => {
  if (options === undefined) return undefined
  const decoded = decode(options)
  return Result.isSuccess(decoded) ? undefined : toInvalidRequest(decoded.failure)
}
