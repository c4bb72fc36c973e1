/** What of a request's parameters an endpoint is sent: those it supports, by the names it knows. */
import { supports } from "../catalog/supports.ts"
import type { Tier } from "../catalog/Tier.ts"
import type { ParsedChat } from "./parseChatRequest.ts"

/** Two names of one thing: the older one, and the one that reasoning models take. */
const caps = ["max_tokens", "max_completion_tokens"]

export const sentParameters = (
  { maxOutputTokens, parameters }: Pick<ParsedChat, "maxOutputTokens" | "parameters">,
  supported: ReadonlySet<string>,
  tier: Tier = "default"
): Readonly<Record<string, unknown>> => {
  const cap = capFor(parameters, supported)
  return Object.fromEntries([
    ...Object.entries(parameters).filter(
      ([name]) => !caps.includes(name) && supports(supported, name)
    ),
    ...(cap === undefined || maxOutputTokens === undefined ? [] : [[cap, maxOutputTokens]]),
    // Its endpoint sells this tier and no other, however it came to be asked.
    ...(tier !== "default" && supported.has("service_tier") ? [["service_tier", tier]] : [])
  ])
}

/** The name to cap the answer by: the caller's where the endpoint knows it; undefined: it knows none. */
export const capFor = (
  parameters: Readonly<Record<string, unknown>>,
  supported: ReadonlySet<string>
): string | undefined => {
  const known = caps.filter((name) => supported.has(name))
  return known.find((name) => Object.hasOwn(parameters, name)) ?? known[0]
}
