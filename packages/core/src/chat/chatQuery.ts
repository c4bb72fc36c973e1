/** What a chat asks of the router. */
import type * as Arr from "effect/Array"
import type { Caller } from "../auth/Caller.ts"
import type { Demand } from "../routing/Demand.ts"
import * as Preferences from "../routing/Preferences.ts"
import type { Query } from "../routing/Query.ts"
import type { ChatCapability } from "../upstreams/ChatCapability.ts"
import type { ParsedChat } from "./parseChatRequest.ts"

export const queryOf = (
  caller: Caller,
  models: Arr.NonEmptyReadonlyArray<string>,
  { ignored, images, inputTokens, maxOutputTokens, parameters, request }: ParsedChat
): Query<ChatCapability> => ({
  caller,
  models,
  operation: "chat",
  capability: (upstream) => upstream.chat,
  preferences: request.provider ?? Preferences.none,
  demand: {
    parameters: Object.keys(parameters),
    ignored,
    ...demandOf(parameters),
    inputTokens,
    outputTokens: maxOutputTokens ?? 0,
    // As long as the prompt, where nobody says: the mean of both prices decides. Source: semantics A1.
    expectedOutputTokens: maxOutputTokens ?? inputTokens,
    images
  }
})

/** Source: semantics A1. */
const preferred = ["tools", "response_format", "verbosity"]

/** Who asks for the flex tier is not served at the price of another where it can be had. Source: semantics A2. */
const demandOf = (parameters: ParsedChat["parameters"]): Pick<Demand, "preferred" | "tier"> => {
  const wanted = preferred.filter((name) => Object.hasOwn(parameters, name))
  const { service_tier: tier } = parameters
  if (tier === "flex") return { preferred: ["service_tier", ...wanted], tier }
  return tier === "priority" ? { preferred: wanted, tier } : { preferred: wanted }
}
