/** A request like the recorded one, without its content, which records do not keep. */
import { type Json, operations } from "../route/request.ts"
import type { RequestRecord } from "./RequestRecord.ts"

const names: Readonly<{ [operation: string]: string }> = {
  decisions: "decision",
  videos: "video"
}

export const toPlanRequest = ({ operation, requested_model: model }: RequestRecord): Json => ({
  model,
  ...operations[names[operation] ?? operation]
})
