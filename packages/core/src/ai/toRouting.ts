/** How a call was routed, as metadata of its answer. */
import type * as Schema from "effect/Schema"
import type { CallRecorder } from "../api/inProcess/CallRecorder.ts"
import { toMutableJson } from "./toMutableJson.ts"

/** The `service_metadata` of the HTTP API; undefined before planning. */
export const toRouting = (recorder: CallRecorder): Schema.JsonObject | undefined => {
  const { metadata } = recorder.toReport()
  return metadata === undefined ? undefined : toMutableJson(metadata)
}
