/** An error as the response of an operation, or in process. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as HttpServerResponse from "effect/http/HttpServerResponse"
import { writeMessagesErrorBody } from "../../dialects/messages/writeMessagesError.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { findStoreUnavailable } from "../../values/errors/StoreUnavailable.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { shorten } from "../../values/validation/text.ts"
import type { EnvelopeName, ErrorFacts } from "./ErrorFacts.ts"
import type { ErrorResponse, ErrorStatus } from "./ErrorResponse.ts"
import { toGenerationIdHeader } from "./responseHeaders.ts"
import { Draining, InternalError } from "./HttpErrors.ts"
import { missingKeyMessage } from "./callerErrorFacts.ts"
import {
  toInternChatEnvelope,
  toInternEnvelope,
  toMessagesEnvelope,
  toMessagesErrorFacts,
  toOpenRouterEnvelope
} from "./errorEnvelopes.ts"
import { findErrorFacts, type ReportedError } from "./errorTable.ts"

/** How the errors of an operation differ from those in process. */
export interface ErrorRules {
  /** Default: `openrouter`. */
  readonly envelope?: EnvelopeName
  /** The statuses that the operation declares; default: any. */
  readonly statuses?: ReadonlyArray<number>
  /** Replaces a 503 that is not declared; default: 500. */
  readonly unavailableStatus?: ErrorStatus
  /** Every problem with a key gets the message for a missing key. */
  readonly hidesKeyProblems?: boolean
  /** The operation runs models: OpenRouter answers a wrong content type with 400 there. */
  readonly runsModel?: boolean
}

export const toErrorResponse = (error: ReportedError, rules: ErrorRules = {}): ErrorResponse => {
  const { envelope = "openrouter", hidesKeyProblems = false, runsModel = false } = rules
  const reported = runsModel && error._tag === "NotJson" ? invalidContentType : error
  const common = findErrorFacts(reported._tag, reported)
  const facts: ErrorFacts = { ...common, ...common[envelope] }
  const status = restrictStatus(facts, rules)
  return envelopes[envelope]({
    ...facts,
    ...shortenFacts(facts),
    status,
    ...(hidesKeyProblems && status === 401 ? { message: missingKeyMessage } : undefined)
  })
}

/** Callers choose names, fields and values of any length, which errors repeat. */
const shortenFacts = ({ availability, message, path }: ErrorFacts): Partial<ErrorFacts> => ({
  message: shorten(message, maxMessageCharacters),
  ...(availability?.models === undefined
    ? undefined
    : {
        availability: {
          ...availability,
          models: availability.models.slice(0, maxModels).map((model) => shorten(model))
        }
      }),
  ...(path === undefined
    ? undefined
    : { path: path.map((key) => (typeof key === "string" ? shorten(key) : key)) })
})

/** Longer than any message of our own; a provider's message is shortened where it is read. */
const maxMessageCharacters = 4_000
/** A request may name a hundred; as many are recorded. */
const maxModels = 64

const envelopes: Readonly<Record<EnvelopeName, (facts: ErrorFacts) => ErrorResponse>> = {
  openrouter: toOpenRouterEnvelope,
  intern: toInternEnvelope,
  internChat: toInternChatEnvelope,
  messages: toMessagesEnvelope
}

const invalidContentType = new InvalidRequest({
  path: [],
  problem: "the content type must be application/json"
})

const restrictStatus = (
  { isAlwaysDeclared = false, status }: ErrorFacts,
  { statuses, unavailableStatus = 500 }: ErrorRules
): ErrorStatus => {
  if (isAlwaysDeclared || statuses === undefined || statuses.includes(status)) return status
  return status === 503 ? unavailableStatus : 500
}

/** Logs what callers do not learn: the bug, or why the storage is unavailable. */
export const toErrorResponseFromCause = (
  cause: Cause.Cause<unknown>,
  isDraining: boolean,
  rules?: ErrorRules
): Effect.Effect<ErrorResponse> => {
  if (isDraining && Cause.hasInterruptsOnly(cause)) {
    return Effect.succeed(toErrorResponse(new Draining(), rules))
  }
  const unavailable = findStoreUnavailable(cause)
  const log =
    unavailable === undefined
      ? Effect.logError("request failed unexpectedly", cause)
      : Effect.logWarning("request failed for want of its storage", cause)
  return Effect.as(log, toErrorResponse(unavailable ?? new InternalError(), rules))
}

/** The request that failed. */
interface FailedRequest {
  /** The id of its response and in the log. */
  readonly requestId?: string
  /** The id of its record; absent: it was not routed. */
  readonly generationId?: string | undefined
  /** The routing metadata, for callers that ask for it. */
  readonly routing?: Readonly<Record<string, unknown>> | undefined
}

/** A 500 reveals nothing. */
export const renderError = (
  error: ErrorResponse,
  { generationId, requestId, routing }: FailedRequest = {}
): HttpServerResponse.HttpServerResponse => {
  const isMessages = error.form === "messages"
  return HttpServerResponse.jsonUnsafe(
    {
      ...(isMessages
        ? writeMessagesErrorBody(toMessagesErrorFacts(error), generationId ?? null)
        : toBody(error)),
      ...(error.status === 500 ? undefined : routing)
    },
    {
      status: error.status,
      headers: {
        ...error.headers,
        ...(generationId === undefined ? undefined : toGenerationIdHeader(generationId)),
        // Where Anthropic's client looks for an id to report.
        ...(isMessages ? omitUndefined({ "request-id": generationId ?? requestId }) : undefined)
      }
    }
  )
}

const toBody = ({ code, message, metadata, status }: ErrorResponse) => ({
  error: {
    code: code ?? status,
    message,
    ...(metadata === undefined ? undefined : { metadata })
  }
})
