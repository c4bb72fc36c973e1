/** The error of a request that no endpoint may serve, named after what its candidates lack. */
import type { Exclusion } from "../../routing/Reason.ts"
import type { NoEndpoints } from "../../routing/RoutingErrors.ts"
import { countFilters, findSmallestRelaxation } from "../../routing/plan/findSmallestRelaxation.ts"
import { shortenList } from "../../values/validation/text.ts"
import { type ErrorFacts, turnFailed } from "./ErrorFacts.ts"
import type { AvailabilityCode } from "./ErrorReason.ts"

export const toNoEndpointsFacts = ({ models, rejected }: NoEndpoints): ErrorFacts => {
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
  const outOfService = rejected.filter(({ reasons }) =>
    reasons.every(({ source }) => source === "operator")
  )
  if (outOfService.length > 0) {
    return {
      status: 503,
      message: `Every endpoint of ${shortenList(models)} that may serve the request is out of service`,
      type: "provider_overloaded",
      availability: {
        code: "temporarily_unavailable",
        models,
        excludedBy: Array.from(
          new Set(outOfService.flatMap(({ reasons }) => reasons.map(({ rule }) => rule)))
        )
      },
      details: { filters, relax: findSmallestRelaxation(outOfService) }
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
