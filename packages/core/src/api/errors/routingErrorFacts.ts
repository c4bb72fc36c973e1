/** Errors of requests that no endpoint served: unknown models, rules, time, failed attempts, spending limits. */
import type { ModelNotListed } from "../../domains/listing/Listing.ts"
import type { RoutingError as RouteError } from "../../routing/Routing.ts"
import type { ContextLengthExceeded } from "../../routing/RoutingErrors.ts"
import { countFilters } from "../../routing/plan/findSmallestRelaxation.ts"
import type { OperationName } from "../../values/OperationName.ts"
import { shorten, shortenList } from "../../values/validation/text.ts"
import { type ErrorFacts, type ErrorTable, storageUnavailable, turnFailed } from "./ErrorFacts.ts"
import { toAttemptsFailedFacts } from "./toAttemptsFailedFacts.ts"
import { toNoEndpointsFacts } from "./toNoEndpointsFacts.ts"

/** What a card has among its `output_modalities` so that the model serves an operation. */
const neededOutputs: Readonly<Record<OperationName, string>> = {
  chat: "text",
  decisions: "text",
  embeddings: "embeddings",
  images: "image",
  rerank: "rerank",
  speech: "speech",
  transcriptions: "transcription",
  videos: "video"
}

const describeOutputs = (outputs: ReadonlyArray<string>, operation: OperationName): string =>
  `, because its output_modalities are ${shortenList(outputs)}; where that is wrong, add ${neededOutputs[operation]} to card.architecture.output_modalities`

type RoutingError =
  | ModelNotListed
  | Exclude<RouteError, { readonly _tag: "LimitExceeded" | "RateLimited" }>

export const routingErrorFacts: ErrorTable<RoutingError> = {
  ModelNotFound: ({ model, nearest, siblings }) => ({
    status: 400,
    message: `${shorten(model)} is not a valid model ID${siblings === undefined ? suggest(nearest) : describeSiblings(model, siblings)}`,
    type: "invalid_request",
    availability: { code: "model_not_found", models: [model] },
    internChat: turnFailed,
    messages: { status: 404, type: "not_found" }
  }),
  ModelNotListed: ({ model, nearest }) => ({
    status: 404,
    message: `${shorten(model)} is not a model of this catalog${suggest(nearest)}`,
    type: "not_found",
    availability: { code: "model_not_found", models: [model] },
    internChat: turnFailed
  }),
  WrongOperation: ({ model, operation, outputs }) => ({
    status: 400,
    message: `${shorten(model)} cannot be used with the ${operation} endpoint${outputs === undefined ? "" : describeOutputs(outputs, operation)}`,
    type: "invalid_request",
    availability: { code: "wrong_endpoint", models: [model] },
    internChat: turnFailed
  }),
  // Clients recognize OpenRouter's messages.
  ContentBlocked: ({ isAnswer, label, patterns }) => ({
    status: 403,
    message:
      isAnswer === true
        ? `Answer blocked by content filter: ${label}`
        : patterns === undefined
          ? `Request blocked by content filter: ${label}`
          : "Request blocked: prompt injection patterns detected",
    reason: "content_blocked",
    retryable: false,
    ...(patterns === undefined ? undefined : { details: { patterns } }),
    messages: { type: "permission_denied" }
  }),
  ContextLengthExceeded: (error) => toContextLengthFacts(error),
  NoEndpoints: (error) => toNoEndpointsFacts(error),
  AttemptsFailed: toAttemptsFailedFacts,
  EndpointBusy: ({ models, queue }) => ({
    status: 503,
    message: `Every endpoint of ${shortenList(models)} that may serve the request runs as many requests as it may${queue === undefined ? "" : queue === "full" ? ", and no more may wait" : ", and none had room while the request waited"}. Try again in a second`,
    type: "provider_overloaded",
    availability: { code: "temporarily_unavailable", models },
    retryAfterMillis: 1_000
  }),
  DeadlineExceeded: ({ isStorageLate, models }) =>
    isStorageLate === true
      ? storageUnavailable
      : {
          status: 524,
          message: "The request ran out of time before a provider could be asked",
          type: "timeout",
          availability: { code: "timeout", models }
        }
}

/** Clients recognize OpenRouter's message, so the suggestion comes after it. */
const suggest = (nearest: string | undefined): string =>
  nearest === undefined ? "" : `; did you mean ${nearest}?`

/** A suffix such as `:free` is served where the catalog has such a model, and stands for nothing otherwise. */
const describeSiblings = (model: string, siblings: ReadonlyArray<string>): string => {
  const suffix = shorten(model.slice(model.lastIndexOf(":")))
  const known = shortenList(siblings)
  return suffix === ":online"
    ? `; "${suffix}" is not served here, so leave it out and let a tool of the provider search the web: there is ${known}`
    : `; there is no such model with "${suffix}", but ${known}`
}

/** Clients recognize OpenRouter's message. */
const toContextLengthFacts = ({
  inputTokens,
  limit,
  models,
  outputTokens,
  rejected
}: ContextLengthExceeded): ErrorFacts => ({
  status: 400,
  message:
    `This endpoint's maximum context length is ${limit} tokens. However, you requested about ` +
    `${inputTokens + outputTokens} tokens (${inputTokens} of text input, ${outputTokens} in the output). ` +
    "Please reduce the length of either one.",
  type: "context_length_exceeded",
  availability: { code: "context_length_exceeded", models },
  details: {
    context_length: limit,
    requested_tokens: inputTokens + outputTokens,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    filters: countFilters(rejected)
  }
})
