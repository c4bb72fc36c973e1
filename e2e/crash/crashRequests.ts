/** The requests of the crash tests, and their responses while the storage is unavailable. */
import { type HttpResponse, parseErrorEnvelope } from "../support/HttpResponse.ts"
import { crashKeys, crashRequest } from "./makeCrashInstance.ts"
import { send } from "../support/send.ts"

export const decide = (origin: string, key: string): Promise<HttpResponse> =>
  send(`${origin}/api/alpha/decisions`, {
    body: crashRequest,
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" }
  })

/** Sends a request with the management key. */
export const manage = (
  origin: string,
  method: string,
  path: string,
  body?: unknown
): Promise<HttpResponse> =>
  send(`${origin}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${crashKeys.management}`,
      "content-type": "application/json"
    },
    body: body === undefined ? undefined : JSON.stringify(body)
  })

/** The parts of a response that are compared with `unavailable`. */
export const toErrorSummary = (answer: HttpResponse | undefined) =>
  answer === undefined
    ? undefined
    : {
        status: answer.status,
        retryAfter: answer.headers["retry-after"],
        error: parseErrorEnvelope(answer)
      }

export const unavailable = {
  status: 503,
  retryAfter: "1",
  error: {
    code: 503,
    message: "The storage of the service is unavailable",
    metadata: {
      error_type: "provider_overloaded",
      availability: { code: "storage_unavailable", retryable: true }
    }
  }
}
