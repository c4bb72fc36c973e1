/** Reads one line of a recording. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { toInvalidRequest } from "../../../values/errors/toInvalidRequest.ts"
import { isObject } from "../../../values/json/guards.ts"
import { RecordedRequest } from "./RecordedRequest.ts"

const decode = Schema.decodeUnknownResult(RecordedRequest)

/** `model`: the model of requests that name none. Throws a `RangeError` that says what is wrong with the line. */
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
