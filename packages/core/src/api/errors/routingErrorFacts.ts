/** Errors of requests that no endpoint served: unknown models, rules, time, failed attempts, spending limits. */
import { storageUnavailable } from "./instanceErrorFacts.ts"
import { countFilters, findSmallestRelaxation } from "../../routing/plan/findSmallestRelaxation.ts"
import { shorten, shortenList } from "../../values/validation/text.ts"
import type { Exclusion } from "../../routing/Reason.ts"
import type { ContextLengthExceeded, NoEndpoints } from "../../routing/RoutingErrors.ts"
import { toAttemptsFailedFacts } from "./toAttemptsFailedFacts.ts"
import { type ErrorFacts, type ErrorTable, turnFailed } from "./ErrorFacts.ts"
import type { AvailabilityCode } from "./ErrorReason.ts"
import type { ModelNotListed } from "../../domains/listing/ListingErrors.ts"
import type { RoutingError as RouteError } from "../../routing/Routing.ts"

type RoutingError =
  | ModelNotListed
  | Exclude<RouteError, { readonly _tag: "LimitExceeded" | "RateLimited" }>

export const routingErrorFacts: ErrorTable<RoutingError> = {
  ModelNotFound: ({ model, nearest }) => ({
    status: 400,
    message: `${shorten(model)} is not a valid model ID${suggest(nearest)}`,
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
  WrongOperation: ({ model, operation }) => ({
    status: 400,
    message: `${shorten(model)} cannot be used with the ${operation} endpoint`,
    type: "invalid_request",
    availability: { code: "wrong_endpoint", models: [model] },
    internChat: turnFailed
  }),
  ContextLengthExceeded: (error) => toContextLengthFacts(error),
  NoEndpoints: (error) => toNoEndpointsFacts(error),
  AttemptsFailed: toAttemptsFailedFacts,
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

const toNoEndpointsFacts = ({ models, rejected }: NoEndpoints): ErrorFacts => {
  const notFound = { status: 404, type: "not_found", internChat: turnFailed } as const
  if (rejected.length === 0) {
    return {
      ...notFound,
      message: `No endpoints found for ${shortenList(models)}: no provider serves the model`,
      availability: { code: "no_endpoints", models }
    }
  }
  const filters = countFilters(rejected)
  const relax = findSmallestRelaxation(rejected)
  const need = relax.find(({ rule }) => rule === "dialect" || rule === "prefill")
  if (need !== undefined) {
    return {
      status: 400,
      message: `None of the allowed endpoints of ${shortenList(models)} can serve the request. It needs ${need.wanted}`,
      type: "invalid_request",
      availability: { code: "constraint_filtered", models, excludedBy: [need.rule] },
      details: { filters, relax }
    }
  }
  const unbounded = relax.find(({ rule }) => rule === "server_tools")
  if (unbounded !== undefined) {
    const found = new Set(
      rejected.flatMap(({ reasons }) =>
        reasons.filter(({ rule }) => rule === "server_tools").map((reason) => reason.found)
      )
    )
    return {
      status: 400,
      message:
        `None of the allowed endpoints of ${shortenList(models)} can serve the request. It needs ${unbounded.wanted}. ` +
        `Found: ${Array.from(found).join("; ")}`,
      type: "invalid_request",
      availability: { code: "constraint_filtered", models, excludedBy: ["server_tools"] },
      details: { filters, relax }
    }
  }
  const unpriced = relax.find(({ rule }) => rule === "unknown_price")
  const counts = filters.map(({ removed, rule }) => `${rule} (${removed})`).join(", ")
  return {
    ...notFound,
    message:
      `No allowed providers are available for the selected model. Removed by: ${counts}. ` +
      `To relax: ${relax.map(({ rule, source }) => `${rule} of the ${source}`).join(", ")}` +
      (unpriced === undefined ? "" : `. It needs ${unpriced.wanted}`),
    availability: {
      code: toAvailabilityCode(relax.map(({ rule }) => rule)),
      models,
      excludedBy: Array.from(new Set(filters.map(({ rule }) => openRouterRules[rule] ?? rule)))
    },
    details: { filters, relax }
  }
}

/** OpenRouter's names of our rules, where they differ. */
const openRouterRules: Readonly<Partial<Record<Exclusion, string>>> = {
  only: "allowed_providers",
  ignore: "allowed_providers",
  allowed_models: "allowed_providers",
  ignored_models: "allowed_providers",
  zdr: "data_policy:zdr",
  data_collection: "data_policy:training",
  unknown_price: "max_price"
}

const privacyRules: ReadonlySet<Exclusion> = new Set(["zdr", "data_collection"])
const constraintRules: ReadonlySet<Exclusion> = new Set([
  "data_region",
  "max_price",
  "unknown_price",
  "context_length",
  "max_completion_tokens",
  "require_parameters",
  "preferred_parameters",
  "quantization"
])

/** Named after the obstacle between the request and its nearest endpoint. */
const toAvailabilityCode = (rules: ReadonlyArray<Exclusion>): AvailabilityCode => {
  if (rules.length > 0 && rules.every((rule) => privacyRules.has(rule))) return "privacy_restricted"
  return rules.some((rule) => constraintRules.has(rule)) ? "constraint_filtered" : "no_endpoints"
}
