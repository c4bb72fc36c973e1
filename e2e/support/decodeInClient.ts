/** Validates responses with the decoders of the reference client. */
import { isDeepStrictEqual } from "node:util"
import { OpenRouterCore } from "@openrouter/sdk/core.js"
import { alphaDecisionsCreate } from "@openrouter/sdk/funcs/alphaDecisionsCreate.js"
import { HTTPClient } from "@openrouter/sdk/lib/http.js"
import * as errors from "@openrouter/sdk/models/errors"
import type { DecisionsResponse } from "@openrouter/sdk/models"
import type { HttpResponse } from "./HttpResponse.ts"
import { parseErrorEnvelope } from "./HttpResponse.ts"
import { isObject, getProperty } from "./getProperty.ts"
import type { ErrorStatus } from "../decisions/errorStatuses.ts"

/** The client's error class for each status. */
export const errorClasses = {
  400: errors.BadRequestResponseError,
  401: errors.UnauthorizedResponseError,
  402: errors.PaymentRequiredResponseError,
  403: errors.ForbiddenResponseError,
  404: errors.NotFoundResponseError,
  413: errors.PayloadTooLargeResponseError,
  429: errors.TooManyRequestsResponseError,
  500: errors.InternalServerResponseError,
  502: errors.BadGatewayResponseError,
  503: errors.ServiceUnavailableResponseError,
  524: errors.EdgeNetworkTimeoutResponseError,
  529: errors.ProviderOverloadedResponseError
} satisfies Record<ErrorStatus, unknown>

/**
 * Decodes `answer` as the response to a Decision with the unmodified client. Returns the decision, or
 * undefined for an error. Throws when the client cannot decode it, which includes unlisted statuses.
 */
export const decodeInClient = async (
  answer: HttpResponse
): Promise<DecisionsResponse | undefined> => {
  const reject = (problem: string): never => {
    throw new Error(`${problem}: ${answer.status} ${JSON.stringify(answer.headers)} ${answer.text}`)
  }
  const client = new OpenRouterCore({
    apiKey: "sk-nobody",
    retryConfig: { strategy: "none" },
    httpClient: new HTTPClient({
      fetcher: () =>
        Promise.resolve(
          new Response(answer.text, { status: answer.status, headers: { ...answer.headers } })
        )
    })
  })
  const result = await alphaDecisionsCreate(
    client,
    { decisionsRequest: { model: "any", state: "any", questions: {} } },
    { serverURL: "http://127.0.0.1" }
  )
  if (!result.ok) {
    const { error } = result
    const known = Object.entries(errorClasses).find(([, type]) => error instanceof type)
    if (known === undefined) return reject(`the client says ${error.name} "${error.message}"`)
    const { code, message } = parseErrorEnvelope(answer)
    const decoded = getProperty(error, "error")
    if (
      Number(known[0]) !== answer.status ||
      getProperty(decoded, "code") !== answer.status ||
      code !== answer.status ||
      getProperty(decoded, "message") !== message ||
      message === "" ||
      !isDeepStrictEqual(
        getProperty(error, "openrouterMetadata"),
        getProperty(answer.body, "openrouter_metadata")
      )
    ) {
      return reject("the client reads another error")
    }
    return undefined
  }
  const sent = getProperty(answer.body, "answers")
  if (answer.status !== 200 || !isObject(sent)) return reject("the client takes it for a decision")
  for (const [name, answered] of Object.entries(sent)) {
    // The client decodes into plain objects and omits the key `__proto__`.
    if (name === "__proto__") continue
    const decoded = result.value.answers[name]
    if (decoded === undefined || decoded.type !== getProperty(answered, "type")) {
      return reject(`the client does not know the answer to "${name}"`)
    }
  }
  return result.value
}
