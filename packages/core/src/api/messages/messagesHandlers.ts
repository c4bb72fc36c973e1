/** Handlers of the operations of Anthropic's Messages API. */
import * as Effect from "effect/Effect"
import { Chats } from "../../domains/chat/Chats.ts"
import { encodeNamedEvent, encodeNamedEvents } from "../../dialects/NamedEvent.ts"
import { pingEvent } from "../../dialects/messages/writeEvents.ts"
import { toMessagesErrorFacts } from "../errors/errorEnvelopes.ts"
import { toGenerationIdHeader } from "../errors/responseHeaders.ts"
import { makeAnswerApi } from "../operation/makeAnswerApi.ts"
import type { Handlers } from "../operation/Handler.ts"
import type { RequestContext } from "../operation/RequestContext.ts"
import { toComment } from "../operation/withKeepalive.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { makeMessageEventWriter } from "../../domains/messages/makeMessageEventWriter.ts"
import { decodeMessagesChat } from "../../domains/messages/parseMessagesChat.ts"
import { writeMessage } from "../../domains/messages/writeMessage.ts"
import type { MessagesApi } from "./MessagesApi.ts"
import * as Step from "../../values/Step.ts"

export const messagesHandlers = Effect.gen(function* () {
  const chats = yield* Chats
  const { create, read } = yield* makeAnswerApi({
    name: "messages",
    decode: (json, options, headers) =>
      decodeMessagesChat(json, { ...options, headers: pickApiHeaders(headers) }),
    write: (answer, chat, { routing }) => routing.addMetadata(writeMessage(answer, chat)),
    makeEventWriter: (stream, chat, { routing }) => {
      const writer = makeMessageEventWriter(stream, chat)
      return {
        write: (pieces) => encodeNamedEvents(writer.write(pieces)),
        end: () => encodeNamedEvents(writer.end(routing.toMetadata())),
        fail: (error) => encodeNamedEvents(writer.fail(toMessagesErrorFacts(error))),
        keepalive: () => (writer.hasStarted() ? encodeNamedEvent(pingEvent) : toComment())
      }
    },
    // Anthropic's client reports the id of `request-id`.
    toHeaders: (id) => ({ ...toGenerationIdHeader(id), "request-id": id })
  })
  return {
    create,
    countTokens: (_: unknown, context: RequestContext) =>
      Step.flatMap(read(context), ({ parsed }) =>
        // The plan resolves the models; without a candidate there is still something to count.
        Effect.as(chats.plan(context.caller, parsed), { input_tokens: parsed.inputTokens })
      )
  } satisfies Handlers<typeof MessagesApi>
})

/** Picks the headers that providers with this API are sent unchanged; undefined: the request has none. */
const pickApiHeaders = (
  headers: RequestContext["headers"]
): Readonly<Record<string, string>> | undefined => {
  const { "anthropic-beta": beta, "anthropic-version": version } = headers
  return beta === undefined && version === undefined
    ? undefined
    : omitUndefined({ "anthropic-version": version, "anthropic-beta": beta })
}
