/** How a call was routed, as metadata of its answer. */
import type * as Schema from "effect/Schema"
import type { CallRecorder } from "../api/inProcess/CallRecorder.ts"

/** The `service_metadata` of the HTTP API; undefined before planning. */
export const toRouting = (recorder: CallRecorder): Schema.JsonObject | undefined => {
  const { metadata } = recorder.toReport()
  return metadata === undefined ? undefined : toMutableJson(metadata)
}

/** Copies an object as JSON, which metadata of Effect's AI services consists of, without fields that are undefined. */
export const toMutableJson = (value: object): { [name: string]: Schema.MutableJson } =>
  // What JSON.parse returns is JSON.
  JSON.parse(JSON.stringify(value)) as { [name: string]: Schema.MutableJson }
