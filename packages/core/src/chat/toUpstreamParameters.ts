/** What of a request's parameters an endpoint is sent: all that it may take, by the names it knows. */
import { type SupportedParameters, includesParameter } from "../catalog/SupportedParameters.ts"
import type { Tier } from "../catalog/Tier.ts"
import type { ParsedChat } from "./parseChatRequest.ts"

/** Two names of one thing: the older one, and the one that reasoning models take. */
const outputCapNames = ["max_tokens", "max_completion_tokens"]

export const toUpstreamParameters = (
  { maxOutputTokens, parameters }: Pick<ParsedChat, "maxOutputTokens" | "parameters">,
  supported: SupportedParameters,
  tier: Tier = "default"
): Readonly<Record<string, unknown>> =>
  Object.fromEntries([
    ...Object.entries(parameters).filter(
      ([name]) => !outputCapNames.includes(name) && includesParameter(supported, name) !== false
    ),
    ...(maxOutputTokens === undefined
      ? []
      : listOutputCapNames(parameters, supported).map((name) => [name, maxOutputTokens])),
    // Its endpoint sells this tier and no other, however it came to be asked.
    ...(tier !== "default" && (supported?.has("service_tier") ?? true)
      ? [["service_tier", tier]]
      : [])
  ])

/** The name to cap the answer by: the caller's where the endpoint may know it; undefined: it knows none. */
export const findOutputCapName = (
  parameters: ParsedChat["parameters"],
  supported: SupportedParameters
): string | undefined => {
  const known =
    supported === undefined ? outputCapNames : outputCapNames.filter((name) => supported.has(name))
  return known.find((name) => Object.hasOwn(parameters, name)) ?? known[0]
}

/** Where nobody says which one it knows, it is sent what the caller wrote. */
const listOutputCapNames = (
  parameters: ParsedChat["parameters"],
  supported: SupportedParameters
): ReadonlyArray<string> => {
  const written = outputCapNames.filter((name) => Object.hasOwn(parameters, name))
  if (supported === undefined && written.length > 1) return written
  const name = findOutputCapName(parameters, supported)
  return name === undefined ? [] : [name]
}
