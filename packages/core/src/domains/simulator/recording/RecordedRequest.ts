/** One line of a recording: when a request came, how long it was, and how each of its attempts ended. No content. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { toInvalidRequest } from "../../../values/errors/toInvalidRequest.ts"
import { isObject } from "../../../values/json/guards.ts"

/** One attempt of a recorded request. Times are in milliseconds. */
export const RecordedAttempt = Schema.Struct({
  /** The id of the endpoint, `<model>@<tag>`; its tag alone will do. */
  endpoint: Schema.String,
  /** When the provider was called, since the epoch. */
  at: Schema.Finite,
  /** 200 for an answer, else the HTTP status; 0: none came. 499: the router or the caller gave up. */
  status: Schema.Finite,
  /** What kind of failure it was, such as `timeout`, or `lost` to a second attempt; absent: as the status says. */
  kind: Schema.optionalKey(Schema.String),
  /** To the first event of a stream; absent for an answer in one piece. */
  first_ms: Schema.optionalKey(Schema.Finite),
  /** To the end of the attempt. */
  whole_ms: Schema.Finite
})
export type RecordedAttempt = typeof RecordedAttempt.Type

/** One request of a recording, a line of JSON. */
export const RecordedRequest = Schema.Struct({
  /** When it came, in milliseconds since the epoch. */
  at: Schema.Finite,
  /** The model whose endpoint was tried first. */
  model: Schema.String,
  prompt_tokens: Schema.Finite,
  completion_tokens: Schema.Finite,
  /** In the order in which they began. */
  attempts: Schema.Array(RecordedAttempt)
})
export type RecordedRequest = typeof RecordedRequest.Type

export const isStreamed = ({ attempts }: RecordedRequest): boolean =>
  attempts.some(({ first_ms }) => first_ms !== undefined)

const decode = Schema.decodeUnknownResult(RecordedRequest)

/**
 * Reads one line of a recording. `model`: the model of requests that name none. Throws a `RangeError` that says what
 * is wrong with the line.
 */
export const parseRecordedRequest = (line: string, model?: string): RecordedRequest => {
  let json: unknown
  try {
    json = JSON.parse(line)
  } catch {
    throw new RangeError("no JSON; expected a recorded request such as signalbox.recording() gives")
  }
  const named =
    isObject(json) && model !== undefined && json["model"] === undefined ? { ...json, model } : json
  return Result.getOrThrowWith(decode(named), (error) => {
    const { path, problem } = toInvalidRequest(error)
    return new RangeError(path.length === 0 ? problem : `${path.join(".")}: ${problem}`)
  })
}
