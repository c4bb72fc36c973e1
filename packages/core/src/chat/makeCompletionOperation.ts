/** How a chat is answered whole. */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Struct from "effect/Struct"
import type { Operation } from "../routing/Operation.ts"
import { Settings, type SettingsShape } from "../Settings.ts"
import type {
  ChatCapability,
  ChatChoice,
  ChatDelta,
  ChatReply
} from "../upstreams/ChatCapability.ts"
import { makeChatAccumulator } from "./ChatAccumulator.ts"
import {
  estimatePromptUsage,
  toChatCall,
  findOutputCap,
  toServed,
  estimateWorstCase
} from "./chatCall.ts"
import { checkChatReply } from "./checkChatReply.ts"
import type { ParsedChat } from "./parseChatRequest.ts"

export const makeCompletionOperation = (
  parsed: ParsedChat,
  settings: SettingsShape
): Operation<ChatCapability, ChatReply, HttpClient.HttpClient> => ({
  prepareWorstCase: parsed.measure,
  getWorstCase: (target) => estimateWorstCase(parsed, target),
  getOutputCap: (target) => findOutputCap(parsed, target),
  getUnreportedUsage: (target) => estimatePromptUsage(parsed, target),
  // It outlives the request, however long that takes.
  leaseMillis: settings.chatTimeoutMillis + settings.reservationLeaseMillis,
  run: (target) =>
    target.capability.complete(toChatCall(parsed, target)).pipe(
      Effect.provideService(Settings, extendTimeouts(settings)),
      Effect.flatMap((reply) => Effect.fromResult(checkChatReply(reply))),
      Effect.map((reply) => {
        const accumulator = makeChatAccumulator()
        accumulator.add(reply.choices.map(toDelta))
        return toServed(parsed, target, reply, accumulator)
      })
    )
})

/** A whole message is a piece like any other. */
const toDelta = ({ finishReason, index, message }: ChatChoice): ChatDelta => ({
  index,
  delta: Struct.omit(message, ["role"]),
  finishReason
})

/** A provider answers when the last token is there: it sends nothing for as long as that takes. */
const extendTimeouts = (settings: SettingsShape): SettingsShape => ({
  ...settings,
  headersTimeoutMillis: Math.max(settings.headersTimeoutMillis, settings.chatTimeoutMillis),
  bodyTimeoutMillis: Math.max(settings.bodyTimeoutMillis, settings.chatTimeoutMillis)
})
