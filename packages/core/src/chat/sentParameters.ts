/** What of a request's parameters an endpoint is sent: all that it may take, by the names it knows. */
import { type SupportedParameters, supports } from "../catalog/supports.ts"
import type { Tier } from "../catalog/Tier.ts"
import type { ParsedChat } from "./parseChatRequest.ts"

/** Two names of one thing: the older one, and the one that reasoning models take. */
const caps = ["max_tokens", "max_completion_tokens"]

export const sentParameters = (
  { maxOutputTokens, parameters }: Pick<ParsedChat, "maxOutputTokens" | "parameters">,
  supported: SupportedParameters,
  tier: Tier = "default"
): Readonly<Record<string, unknown>> =>
  Object.fromEntries([
    ...Object.entries(parameters).filter(
      ([name]) => !caps.includes(name) && supports(supported, name) !== false
    ),
    ...(maxOutputTokens === undefined
      ? []
      : capsFor(parameters, supported).map((name) => [name, maxOutputTokens])),
    // Its endpoint sells this tier and no other, however it came to be asked.
    ...(tier !== "default" && (supported?.has("service_tier") ?? true)
      ? [["service_tier", tier]]
      : [])
  ])

/** The name to cap the answer by: the caller's where the endpoint may know it; undefined: it knows none. */
export const capFor = (
  parameters: ParsedChat["parameters"],
  supported: SupportedParameters
): string | undefined => {
  const known = supported === undefined ? caps : caps.filter((name) => supported.has(name))
  return known.find((name) => Object.hasOwn(parameters, name)) ?? known[0]
}

/** Where nobody says which one it knows, it is sent what the caller wrote. */
const capsFor = (
  parameters: ParsedChat["parameters"],
  supported: SupportedParameters
): ReadonlyArray<string> => {
  const written = caps.filter((name) => Object.hasOwn(parameters, name))
  if (supported === undefined && written.length > 1) return written
  const name = capFor(parameters, supported)
  return name === undefined ? [] : [name]
}
