/** Makes an error response in the envelope of an API. */
import { STATUS_CODES } from "node:http"
import type { ScriptedResponse } from "./ScriptedResponse.ts"
import * as answer from "./ScriptedResponse.ts"
import type { ErrorContent } from "./Content.ts"
import type { Dialect } from "./Dialect.ts"
import { toGeminiError } from "./toGeminiError.ts"
import { toMessagesError } from "./toMessagesError.ts"

export const toErrorResponse = (
  dialect: Dialect | undefined,
  error: ErrorContent
): ScriptedResponse => {
  const message =
    error.message ?? STATUS_CODES[error.code] ?? unregisteredStatuses.get(error.code) ?? "Error"
  const { body, headers } = answer.makeJsonResponse(toEnvelope(dialect, error, message))
  return { status: error.status, headers: { ...headers, ...error.headers }, body }
}

const toEnvelope = (
  dialect: Dialect | undefined,
  { code, kind }: ErrorContent,
  message: string
): object => {
  switch (dialect) {
    case "chat":
    case "responses":
    case "embeddings":
    case "speech":
    case "transcriptions":
    case "openai_images":
    case "openai_videos":
      return {
        error: {
          message,
          type: code < 500 ? "invalid_request_error" : "server_error",
          param: null,
          code: kind ?? kinds.get(code) ?? null
        }
      }
    case "messages":
      return toMessagesError(code, message, kind)
    case "gemini":
    case "gemini_embeddings":
    case "google_videos":
    case "imagen":
      return toGeminiError(code, message, kind)
    case "decisions":
    case "images":
    case "rerank":
    case "videos":
    case undefined:
      return {
        error: {
          code,
          message,
          ...(kind === undefined ? undefined : { metadata: { error_type: kind } })
        }
      }
  }
}

/** The code of an error of this status inside an answer of the Responses API. */
export const toErrorCode = (status: number): string =>
  kinds.get(status) ?? (status === 503 || status === 529 ? "server_is_overloaded" : "server_error")

/** An error of the scripted server itself. */
export const toScriptErrorResponse = (
  dialect: Dialect | undefined,
  status: number,
  message: string
): ScriptedResponse =>
  toErrorResponse(dialect, { type: "error", code: status, status, message, headers: {} })

const unregisteredStatuses: ReadonlyMap<number, string> = new Map([
  [524, "A Timeout Occurred"],
  [529, "Overloaded"]
])

/** The error codes of OpenAI's API for these statuses. */
const kinds: ReadonlyMap<number, string> = new Map([
  [401, "invalid_api_key"],
  [404, "model_not_found"],
  [429, "rate_limit_exceeded"]
])
