/** What a chat asks of the router. */
import type * as Arr from "effect/Array"
import type { Caller } from "../auth/Caller.ts"
import type { Requirements } from "../routing/Requirements.ts"
import * as Preferences from "../routing/Preferences.ts"
import type { RouteQuery } from "../routing/RouteQuery.ts"
import type { ChatCapability } from "../upstreams/ChatCapability.ts"
import type { ParsedChat } from "./parseChatRequest.ts"

export const toChatQuery = (
  caller: Caller,
  models: Arr.NonEmptyReadonlyArray<string>,
  {
    ignored: ignoredParameters,
    images,
    inputTokens,
    maxOutputTokens,
    parameters,
    request
  }: ParsedChat
): RouteQuery<ChatCapability> => ({
  caller,
  models,
  operation: "chat",
  capability: (upstream) => upstream.chat,
  preferences: request.provider ?? Preferences.none,
  requirements: {
    parameters: Object.keys(parameters),
    ignoredParameters,
    ...toRequirements(parameters),
    inputTokens,
    outputTokens: maxOutputTokens ?? 0,
    // As long as the prompt, where nobody says: the mean of both prices decides. Source: semantics A1.
    expectedOutputTokens: maxOutputTokens ?? inputTokens,
    images
  }
})

/** Source: semantics A1. */
const preferredParameters = ["tools", "response_format", "verbosity"]

/** Who asks for the flex tier is not served at the price of another where it can be had. Source: semantics A2. */
const toRequirements = (
  parameters: ParsedChat["parameters"]
): Pick<Requirements, "preferredParameters" | "tier"> => {
  const wanted = preferredParameters.filter((name) => Object.hasOwn(parameters, name))
  const { service_tier: tier } = parameters
  if (tier === "flex") return { preferredParameters: ["service_tier", ...wanted], tier }
  return tier === "priority"
    ? { preferredParameters: wanted, tier }
    : { preferredParameters: wanted }
}
