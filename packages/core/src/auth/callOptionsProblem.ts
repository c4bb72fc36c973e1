/** What is wrong with the options of a call in process. Its caller is checked where it is resolved (`Callers.ts`). */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { InvalidRequest } from "../values/RequestErrors.ts"
import { schemaProblem } from "../values/schemaProblem.ts"

const anything = Schema.optional(Schema.Unknown)

/** The options of every call: an unknown one, such as those of a caller that is not wrapped, is refused. */
const CallOptions = Schema.Struct({
  caller: anything,
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
  mount: anything,
  range: anything,
  seed: anything,
  statuses: anything
})

const decode = Schema.decodeUnknownResult(CallOptions, { onExcessProperty: "error" })

/** Undefined: nothing is. */
export const callOptionsProblem = (options: unknown): InvalidRequest | undefined => {
  if (options === undefined) return undefined
  const decoded = decode(options)
  return Result.isSuccess(decoded) ? undefined : schemaProblem(decoded.failure)
}
