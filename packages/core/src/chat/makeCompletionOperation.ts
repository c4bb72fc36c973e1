/** Runs a chat whose answer is returned as a whole. */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type { HedgingTraits, Operation } from "../routing/Operation.ts"
import { Settings, type SettingsShape } from "../Settings.ts"
import type { ChatCapability, ChatReply } from "../upstreams/ChatCapability.ts"
import { isExit } from "../values/isExit.ts"
import { makeCostEstimates, measureChoices, toChatCall, toServed } from "./chatCall.ts"
import { checkChatReply } from "./checkChatReply.ts"
import { isRepeatable } from "./isRepeatable.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"

/** `settings` are those of `extendTimeouts`. */
export const makeCompletionOperation = (
  parsed: ParsedChat,
  settings: SettingsShape
): Operation<ChatCapability, ChatReply, HttpClient.HttpClient> => ({
  ...makeCostEstimates(parsed),
  hedging: isRepeatable(parsed) ? completionHedging : undefined,
  // The reservation outlives the request, however long it takes.
  leaseMillis: settings.chatTimeoutMillis + settings.reservationLeaseMillis,
  run: (target) => {
    const answering = target.capability.complete(toChatCall(parsed, target))
    return Effect.flatMapEager(
      isExit(answering) ? answering : Effect.provideService(answering, Settings, settings),
      (reply) =>
        Effect.mapEager(Effect.fromResult(checkChatReply(reply)), (reply) =>
          toServed(parsed, target, reply, measureChoices(reply.choices))
        )
    )
  }
})

const completionHedging: HedgingTraits = { kind: "chat", isDefault: false }

/** The provider sends nothing until the last token is generated. */
export const extendTimeouts = (settings: SettingsShape): SettingsShape => ({
  ...settings,
  headersTimeoutMillis: Math.max(settings.headersTimeoutMillis, settings.chatTimeoutMillis),
  bodyTimeoutMillis: Math.max(settings.bodyTimeoutMillis, settings.chatTimeoutMillis)
})
