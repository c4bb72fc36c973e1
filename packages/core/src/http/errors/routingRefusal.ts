/** What a caller is told when nobody could serve its request. Source: semantics A7, H5 to H8. */
import type { LimitExceeded } from "../../ledger/LedgerErrors.ts"
import type { RoutingError } from "../../routing/Routing.ts"
import type { NoEndpoints } from "../../routing/RoutingErrors.ts"
import * as NanoUsd from "../../values/NanoUsd.ts"
import { attemptsRefusal } from "./attemptsRefusal.ts"
import { availability } from "./availability.ts"
import type { Refusal } from "./Refusal.ts"

export const routingRefusal = (error: RoutingError): Refusal => {
  switch (error._tag) {
    case "ModelNotFound":
      return {
        status: 400,
        message: `${error.model} is not a valid model ID`,
        metadata: availability("invalid_request", "model_not_found", [error.model])
      }
    case "WrongOperation":
      return {
        status: 400,
        message: `${error.model} cannot be used with the ${error.operation} endpoint`,
        metadata: availability("invalid_request", "wrong_endpoint", [error.model])
      }
    case "NoEndpoints":
      return noEndpoints(error)
    case "AttemptsFailed":
      return attemptsRefusal(error)
    case "OutOfTime":
      return {
        status: 524,
        message: "The request ran out of time before a provider could be asked",
        metadata: availability("timeout", "timeout", error.models)
      }
    case "LimitExceeded":
      return limitExceeded(error)
  }
}

const noEndpoints = ({ models, rejected }: NoEndpoints): Refusal => {
  const counts = new Map<string, number>()
  for (const { reasons } of rejected) {
    for (const rule of new Set(reasons.map((reason) => reason.rule))) {
      counts.set(rule, (counts.get(rule) ?? 0) + 1)
    }
  }
  const filters = Array.from(counts, ([rule, count]) => `${rule} (${count})`).join(", ")
  return {
    status: 404,
    message: `No allowed providers are available for the selected model. Removed by: ${filters}`,
    metadata: {
      ...availability("not_found", codeOfRules(counts), models),
      excluded_by: Object.fromEntries(counts)
    }
  }
}

const privacyRules: ReadonlySet<string> = new Set(["zdr", "data_collection"])
const preferenceRules: ReadonlySet<string> = new Set(["only", "ignore", "order", "allow_fallbacks"])

const codeOfRules = (counts: ReadonlyMap<string, number>): string => {
  const rules = [...counts.keys()]
  if (rules.every((rule) => privacyRules.has(rule))) return "privacy_restricted"
  return rules.some((rule) => preferenceRules.has(rule)) ? "no_endpoints" : "constraint_filtered"
}

const limitExceeded = ({ amount, available }: LimitExceeded): Refusal => ({
  status: 402,
  message:
    `This request requires more credits: it may cost up to ${usd(amount)} USD, ` +
    `but only ${usd(available)} USD are available`,
  metadata: {
    error_type: "payment_required",
    required_usd: NanoUsd.toUsdNumber(amount),
    available_usd: NanoUsd.toUsdNumber(available)
  }
})

const usd = (amount: NanoUsd.NanoUsd): string => String(NanoUsd.toUsdNumber(amount))
