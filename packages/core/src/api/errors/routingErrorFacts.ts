/** Errors of requests that no endpoint served: unknown models, rules, time, failed attempts, spending limits. */
import type { ModelNotListed } from "../../domains/listing/Listing.ts"
import type { FailureKind } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { isByok } from "../../routing/Candidate.ts"
import type { Exclusion } from "../../routing/Reason.ts"
import type { RoutingError as RouteError } from "../../routing/Routing.ts"
import type {
  AttemptsFailed,
  ContextLengthExceeded,
  NoEndpoints
} from "../../routing/RoutingErrors.ts"
import type { RouteAttempt } from "../../routing/attempt/RouteAttempt.ts"
import { countFilters, findSmallestRelaxation } from "../../routing/plan/findSmallestRelaxation.ts"
import { shorten, shortenList } from "../../values/validation/text.ts"
import { type ErrorFacts, type ErrorTable, turnFailed } from "./ErrorFacts.ts"
import type { AvailabilityCode } from "./ErrorReason.ts"
import type { ErrorStatus } from "./ErrorResponse.ts"
import { storageUnavailable } from "./instanceErrorFacts.ts"

/** Every attempt failed: one shows its provider's error, several what they have in common. */
const toAttemptsFailedFacts = ({ attempts, isFinal, models }: AttemptsFailed): ErrorFacts => {
  const last = attempts.at(-1) ?? attempts[0]
  const isSingle = attempts.length === 1 || isFinal
  const { code, ...verdict } = isSingle ? toVerdict(last) : toCommonVerdict(attempts)
  const hints = attempts.flatMap(({ failure }) => failure?.retryAfterMillis ?? [])
  return {
    ...verdict,
    message:
      last.failure?.phase === "queue" && isSingle
        ? `Every connection to ${last.candidate.providerName} is in use, so nothing was sent. Try again in a second; if it lasts, raise settings.maxUpstreamConnections`
        : isSingle
          ? `Provider returned error: ${describeAttempt(last)}`
          : `All ${attempts.length} attempts failed; the last one: ${describeAttempt(last)}`,
    availability: { code, models },
    details: {
      provider_name: last.candidate.providerName,
      is_byok: isByok(last.candidate) ? true : undefined,
      raw: last.failure?.detail,
      previous_errors: attempts.map(({ candidate, failure }) => ({
        provider: candidate.providerName,
        code: failure?.kind,
        ...(failure?.status === undefined ? undefined : { status: failure.status })
      }))
    },
    ...(hints.length > 0 && retryAfterStatuses.has(verdict.status)
      ? { retryAfterMillis: Math.min(...hints) }
      : undefined)
  }
}

const getFailureKind = ({ failure }: RouteAttempt): FailureKind => failure?.kind ?? "server_error"

const describeAttempt = ({ candidate, failure }: RouteAttempt): string =>
  `${candidate.providerName}: ${failure?.message ?? "no answer"}`

/** Statuses that may carry `Retry-After`. */
const retryAfterStatuses: ReadonlySet<ErrorStatus> = new Set([429, 503, 529])

interface AttemptVerdict extends Pick<ErrorFacts, "internChat" | "status" | "type"> {
  /** The code of the availability. */
  readonly code: AvailabilityCode
}

const unavailable: AttemptVerdict = {
  status: 502,
  type: "provider_unavailable",
  code: "provider_unavailable"
}
const invalidRequest: AttemptVerdict = {
  status: 400,
  type: "invalid_request",
  code: "invalid_request"
}

const verdicts: Readonly<Record<FailureKind, AttemptVerdict>> = {
  unreachable: unavailable,
  timeout: { status: 524, type: "timeout", code: "timeout" },
  rate_limited: { status: 429, type: "rate_limit_exceeded", code: "capacity_exhausted" },
  overloaded: { status: 529, type: "provider_overloaded", code: "provider_overloaded" },
  server_error: unavailable,
  credential_refused: unavailable,
  forbidden: unavailable,
  not_served: {
    status: 404,
    type: "not_found",
    code: "model_unavailable_upstream",
    internChat: turnFailed
  },
  bad_request: invalidRequest,
  context_length: {
    status: 400,
    type: "context_length_exceeded",
    code: "context_length_exceeded"
  },
  unsupported_parameter: invalidRequest,
  content_refused: {
    status: 400,
    type: "content_policy_violation",
    code: "content_policy_violation"
  },
  invalid_answer: unavailable,
  defect: unavailable
}

/** These failures are the request's fault, so every provider would report them. */
const requestFaultKinds: ReadonlySet<FailureKind> = new Set([
  "bad_request",
  "context_length",
  "unsupported_parameter",
  "content_refused"
])

const transientKinds: ReadonlySet<FailureKind> = new Set([
  "unreachable",
  "timeout",
  "overloaded",
  "server_error",
  "rate_limited"
])

/** A provider without the model answers one of these; one that answers 421 or 426 is merely of no use. */
const missingStatuses: ReadonlySet<number | undefined> = new Set([404, 405, 410, undefined])

/** No provider has failed: this process has no connection to spare. */
const busy: AttemptVerdict = {
  status: 503,
  type: "provider_overloaded",
  code: "temporarily_unavailable"
}

const toVerdict = (attempted: RouteAttempt): AttemptVerdict => {
  if (attempted.failure?.phase === "queue") return busy
  const kind = getFailureKind(attempted)
  return kind === "not_served" && !missingStatuses.has(attempted.failure?.status)
    ? unavailable
    : verdicts[kind]
}

const toCommonVerdict = (attempts: ReadonlyArray<RouteAttempt>): AttemptVerdict => {
  const kinds = attempts.map(getFailureKind)
  const all = attempts.map(toVerdict)
  const [first] = all
  const last = all.at(-1)
  if (kinds.every((kind) => kind === "rate_limited")) return verdicts.rate_limited
  if (kinds.every((kind) => transientKinds.has(kind))) {
    return busy
  }
  if (last !== undefined && kinds.every((kind) => requestFaultKinds.has(kind))) return last
  return first !== undefined && all.every((verdict) => verdict === first) ? first : unavailable
}

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
  WrongOperation: ({ model, operation }) => ({
    status: 400,
    message: `${shorten(model)} cannot be used with the ${operation} endpoint`,
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
  "input_modalities",
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
