/** Makes an error response in the envelope of an API. */
import { STATUS_CODES } from "node:http"
import type { ScriptedResponse } from "./ScriptedResponse.ts"
import * as answer from "./ScriptedResponse.ts"
import type { ErrorContent } from "./Content.ts"
import type { Dialect } from "./Dialect.ts"

export const toErrorResponse = (
  dialect: Dialect | undefined,
  error: ErrorContent
): ScriptedResponse => {
  const message =
    error.message ?? STATUS_CODES[error.code] ?? unregisteredStatuses.get(error.code) ?? "Error"
  const envelope =
    dialect === "chat" || dialect === "openai_videos"
      ? {
          message,
          type: error.code < 500 ? "invalid_request_error" : "server_error",
          param: null,
          code: error.kind ?? kinds.get(error.code) ?? null
        }
      : {
          code: error.code,
          message,
          ...(error.kind === undefined ? undefined : { metadata: { error_type: error.kind } })
        }
  const { body, headers } = answer.makeJsonResponse({ error: envelope })
  return { status: error.status, headers: { ...headers, ...error.headers }, body }
}

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
