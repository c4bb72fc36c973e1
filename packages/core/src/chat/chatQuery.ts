/** What a chat asks of the router. */
import type * as Arr from "effect/Array"
import type { Caller } from "../auth/Caller.ts"
import * as Preferences from "../routing/Preferences.ts"
import type { Query } from "../routing/Query.ts"
import type { ChatCapability } from "../upstreams/ChatCapability.ts"
import type { ParsedChat } from "./parseChatRequest.ts"

export const queryOf = (
  caller: Caller,
  models: Arr.NonEmptyReadonlyArray<string>,
  { inputTokens, maxOutputTokens = 0, parameters, request }: ParsedChat
): Query<ChatCapability> => ({
  caller,
  models,
  operation: "chat",
  capability: (upstream) => upstream.chat,
  preferences: request.provider ?? Preferences.none,
  demand: {
    parameters: Object.keys(parameters),
    preferred: preferred.filter((name) => Object.hasOwn(parameters, name)),
    inputTokens,
    outputTokens: maxOutputTokens
  }
})

/** Source: semantics A1. */
const preferred = ["tools", "response_format", "verbosity"]
