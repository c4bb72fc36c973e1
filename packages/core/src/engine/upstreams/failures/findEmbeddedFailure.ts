/** Finds an error in the JSON of a response with a success status. */
import {
  classifyResponse,
  findFailureKind,
  isContextLengthMessage,
  parseUpstreamError
} from "./toResponseFailure.ts"
import { type FailureKind, type UpstreamFailure, makeFailure } from "./UpstreamFailure.ts"

type FailedUsage = UpstreamFailure["usage"]

/** Undefined when `json` has no `error`. A numeric code counts as an HTTP status. */
export const findEmbeddedFailure = (
  json: Readonly<Record<string, unknown>>,
  usage?: FailedUsage
): UpstreamFailure | undefined => {
  // An older form of vLLM's errors: https://github.com/vllm-project/vllm/pull/22099
  if (json["object"] === "error" && typeof json["message"] === "string") {
    const { object: _, ...error } = json
    return findEmbeddedFailure({ error }, usage)
  }
  const error = Object.hasOwn(json, "error") ? json["error"] : undefined
  if (typeof error !== "string" && (typeof error !== "object" || error === null)) return undefined
  const { code, message, status } = parseUpstreamError(json)
  return makeFailure({ kind: classifyError(code, status, message), message, usage })
}

const classifyError = (
  code: string | undefined,
  status: number | undefined,
  message: string | undefined
): FailureKind => {
  const kindByCode = code === undefined ? undefined : findFailureKind(code)
  if (kindByCode !== undefined) return kindByCode
  return status !== undefined && status >= 400 && status <= 599
    ? classifyResponse(status, undefined, message)
    : isContextLengthMessage(message)
      ? "context_length"
      : "server_error"
}
