/** Selects the parameters of a request that an endpoint supports, under the names it supports. */
import {
  type SupportedParameters,
  includesParameter
} from "../catalog/endpoint/SupportedParameters.ts"
import type { Tier } from "../catalog/endpoint/Tier.ts"
import { setOwn } from "../values/setOwn.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"

/** Both cap the answer; reasoning models support the newer name only. */
const outputCapNames = ["max_tokens", "max_completion_tokens"]

export const toUpstreamParameters = (
  { maxOutputTokens, parameters }: Pick<ParsedChat, "maxOutputTokens" | "parameters">,
  supported: SupportedParameters,
  tier: Tier = "default"
): Readonly<Record<string, unknown>> => {
  const sent: Record<string, unknown> = {}
  for (const name of Object.keys(parameters)) {
    if (!outputCapNames.includes(name) && includesParameter(supported, name) !== false)
      setOwn(sent, name, parameters[name])
  }
  if (maxOutputTokens !== undefined) {
    for (const name of listOutputCapNames(parameters, supported)) sent[name] = maxOutputTokens
  }
  // The endpoint sells this tier only, whatever the request names.
  if (tier !== "default" && (supported?.has("service_tier") ?? true)) sent["service_tier"] = tier
  return sent
}

/** The parameter that caps the answer, the caller's own if supported; undefined when none is. */
export const findOutputCapName = (
  parameters: ParsedChat["parameters"],
  supported: SupportedParameters
): string | undefined => {
  const known =
    supported === undefined ? outputCapNames : outputCapNames.filter((name) => supported.has(name))
  return known.find((name) => Object.hasOwn(parameters, name)) ?? known[0]
}

/** An endpoint without a list of parameters gets the names that the caller wrote. */
const listOutputCapNames = (
  parameters: ParsedChat["parameters"],
  supported: SupportedParameters
): ReadonlyArray<string> => {
  const written = outputCapNames.filter((name) => Object.hasOwn(parameters, name))
  if (supported === undefined && written.length > 1) return written
  const name = findOutputCapName(parameters, supported)
  return name === undefined ? [] : [name]
}
