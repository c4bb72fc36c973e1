/** How a chat is answered whole. */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Struct from "effect/Struct"
import type { Operation } from "../routing/Query.ts"
import { Settings, type SettingsShape } from "../Settings.ts"
import type {
  ChatCapability,
  ChatChoice,
  ChatDelta,
  ChatReply
} from "../upstreams/ChatCapability.ts"
import { assembling } from "./Assembling.ts"
import { askedOf, callOf, capOf, servedBy, worstCaseOf } from "./chatCall.ts"
import { checkChatReply } from "./checkChatReply.ts"
import type { ParsedChat } from "./parseChatRequest.ts"

export const completing = (
  parsed: ParsedChat,
  settings: SettingsShape
): Operation<ChatCapability, ChatReply, HttpClient.HttpClient> => ({
  measure: parsed.measure,
  worstCase: (target) => worstCaseOf(parsed, target),
  cap: (target) => capOf(parsed, target),
  asked: (target) => askedOf(parsed, target),
  // It outlives the request, however long that takes.
  leaseMillis: settings.chatDeadlineMillis + settings.reservationLeaseMillis,
  run: (target) =>
    target.capability.complete(callOf(parsed, target)).pipe(
      Effect.provideService(Settings, patient(settings)),
      Effect.flatMap((reply) => Effect.fromResult(checkChatReply(reply))),
      Effect.map((reply) => {
        const said = assembling()
        said.add(reply.choices.map(deltaOf))
        return servedBy(parsed, target, reply, said)
      })
    )
})

/** A whole message is a piece like any other. */
const deltaOf = ({ finishReason, index, message }: ChatChoice): ChatDelta => ({
  index,
  delta: Struct.omit(message, ["role"]),
  finishReason
})

/** A provider answers when the last token is there: it sends nothing for as long as that takes. */
const patient = (settings: SettingsShape): SettingsShape => ({
  ...settings,
  headersDeadlineMillis: Math.max(settings.headersDeadlineMillis, settings.chatDeadlineMillis),
  bodyDeadlineMillis: Math.max(settings.bodyDeadlineMillis, settings.chatDeadlineMillis)
})
