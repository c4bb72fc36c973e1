/** What a caller is told when nobody could serve its request. Source: semantics A7, H5 to H8. */
import type { LimitExceeded } from "../../ledger/LedgerErrors.ts"
import type { RoutingError } from "../../routing/Routing.ts"
import type { Exclusion } from "../../routing/Reason.ts"
import { countFilters, findSmallestRelaxation } from "../../routing/plan/findSmallestRelaxation.ts"
import type {
  ContextLengthExceeded,
  NoEndpoints,
  DeadlineExceeded
} from "../../routing/RoutingErrors.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import { toAttemptsErrorResponse } from "./toAttemptsErrorResponse.ts"
import { toAvailabilityMetadata } from "./toAvailabilityMetadata.ts"
import type { ErrorResponse } from "./ErrorResponse.ts"

export const toRoutingErrorResponse = (error: RoutingError): ErrorResponse => {
  switch (error._tag) {
    case "ModelNotFound":
      return {
        status: 400,
        message: `${error.model} is not a valid model ID`,
        metadata: toAvailabilityMetadata("invalid_request", "model_not_found", [error.model])
      }
    case "WrongOperation":
      return {
        status: 400,
        message: `${error.model} cannot be used with the ${error.operation} endpoint`,
        metadata: toAvailabilityMetadata("invalid_request", "wrong_endpoint", [error.model])
      }
    case "ContextLengthExceeded":
      return toContextLengthResponse(error)
    case "NoEndpoints":
      return toNoEndpointsResponse(error)
    case "AttemptsFailed":
      return toAttemptsErrorResponse(error)
    case "DeadlineExceeded":
      return toOutOfTimeResponse(error)
    case "LimitExceeded":
      return toLimitExceededResponse(error)
  }
}

/** In the words of the dialect, which clients look for. */
const toContextLengthResponse = ({
  inputTokens,
  limit,
  models,
  outputTokens,
  rejected
}: ContextLengthExceeded): ErrorResponse => ({
  status: 400,
  message:
    `This endpoint's maximum context length is ${limit} tokens. However, you requested about ` +
    `${inputTokens + outputTokens} tokens (${inputTokens} of text input, ${outputTokens} in the output). ` +
    "Please reduce the length of either one.",
  metadata: {
    ...toAvailabilityMetadata("context_length_exceeded", "context_length_exceeded", models),
    context_length: limit,
    requested_tokens: inputTokens + outputTokens,
    input_tokens: inputTokens,
    output_tokens: outputTokens,
    filters: countFilters(rejected)
  }
})

const toNoEndpointsResponse = ({ models, rejected }: NoEndpoints): ErrorResponse => {
  const filters = countFilters(rejected)
  const relax = findSmallestRelaxation(rejected)
  const counts = filters.map(({ removed, rule }) => `${rule} (${removed})`).join(", ")
  const { error_type, availability: available } = toAvailabilityMetadata(
    "not_found",
    toAvailabilityCode(relax.map(({ rule }) => rule)),
    models
  )
  if (rejected.length === 0) {
    return {
      status: 404,
      message: `No endpoints found for ${models.join(", ")}: listed, but served by nobody here`,
      metadata: toAvailabilityMetadata("not_found", "no_endpoints", models)
    }
  }
  return {
    status: 404,
    message:
      `No allowed providers are available for the selected model. Removed by: ${counts}. ` +
      `To relax: ${relax.map(({ rule, source }) => `${rule} of the ${source}`).join(", ")}`,
    metadata: {
      error_type,
      availability: {
        ...available,
        excluded_by: Array.from(new Set(filters.map(({ rule }) => referenceNames[rule] ?? rule)))
      },
      filters,
      relax
    }
  }
}

/** What the reference calls our rules. Source: semantics A7. */
const referenceNames: Readonly<Partial<Record<Exclusion, string>>> = {
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

/** Named after what stood between the request and its nearest endpoint. */
const toAvailabilityCode = (rules: ReadonlyArray<Exclusion>): string => {
  if (rules.length > 0 && rules.every((rule) => privacyRules.has(rule))) return "privacy_restricted"
  return rules.some((rule) => constraintRules.has(rule)) ? "constraint_filtered" : "no_endpoints"
}

const toOutOfTimeResponse = ({ models }: DeadlineExceeded): ErrorResponse => ({
  status: 524,
  message: "The request ran out of time before a provider could be asked",
  metadata: toAvailabilityMetadata("timeout", "timeout", models)
})

/** Sources: semantics A5, A7, H3: credits and keys are 402, what others set for the caller is 403. */
const toLimitExceededResponse = ({
  amount,
  available,
  limit,
  reductionHint
}: LimitExceeded): ErrorResponse => {
  const { interval, kind } = limit
  const facts = {
    required_usd: NanoUsd.toUsdNumber(amount),
    available_usd: NanoUsd.toUsdNumber(available),
    ...(reductionHint === undefined
      ? undefined
      : {
          reserved_output_tokens: reductionHint.outputTokens,
          ...(reductionHint.affordableTokens === undefined
            ? undefined
            : { affordable: { [reductionHint.parameter]: reductionHint.affordableTokens } })
        })
  }
  const advice = formatAdvice(reductionHint)
  if (kind === "credits") {
    return {
      status: 402,
      message:
        `This request requires more credits: it may cost up to ${formatUsd(amount)} USD, ` +
        `but only ${formatUsd(available)} USD are available${advice}`,
      metadata: { error_type: "payment_required", ...facts }
    }
  }
  const cap = formatUsd(limit.cap)
  return {
    status: kind === "key" ? 402 : 403,
    message:
      `${kind === "key" ? "Key limit" : kind === "workspace" ? "Workspace budget" : "Guardrail budget"} exceeded ` +
      `(${interval === "lifetime" ? "total" : interval} limit of ${cap} USD): the request may cost up to ` +
      `${formatUsd(amount)} USD, but only ${formatUsd(available)} USD are left${advice}`,
    metadata: {
      error_type: kind === "key" ? "payment_required" : "permission_denied",
      limit: kind,
      interval,
      limit_usd: NanoUsd.toUsdNumber(limit.cap),
      ...(limit.endsAt === Infinity ? undefined : { resets_at: toIsoString(limit.endsAt) }),
      ...facts
    }
  }
}

/** Source: semantics A7, which names fewer tokens as a way out. */
const formatAdvice = (smaller: LimitExceeded["reductionHint"]): string => {
  if (smaller === undefined) return ""
  const { affordableTokens, isSent, outputTokens, parameter } = smaller
  const why = isSent
    ? `. ${outputTokens} tokens of answer are set aside`
    : `. It says no ${parameter}, so ${outputTokens} tokens of answer are set aside`
  return affordableTokens === undefined
    ? `${why}; no ${parameter} makes the prompt affordable`
    : `${why}: send ${parameter} of ${affordableTokens} or less`
}

const toIsoString = (millis: number): string => new Date(millis).toISOString()

/** In decimals, never as `1e-7`. */
const formatUsd = (amount: NanoUsd.NanoUsd): string =>
  NanoUsd.toUsdNumber(amount)
    .toFixed(9)
    .replace(/\.?0+$/, "")
