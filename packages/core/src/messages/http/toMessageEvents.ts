/** Encodes a streamed answer as the server-sent events of Anthropic's API. */
import type { ChatStream } from "../../chat/stream/streamChat.ts"
import { encodeNamedEvent, encodeNamedEvents } from "../../dialects/NamedEvent.ts"
import { pingEvent } from "../../dialects/messages/makeMessagesEventWriter.ts"
import { toMessagesErrorFacts } from "../../http/errors/toMessagesEnvelope.ts"
import { type EventStreamOptions, toComment } from "../../http/operation/withKeepalive.ts"
import { writeAnswer } from "../../http/operation/writeAnswer.ts"
import type { PushStream } from "../../values/push/PushStream.ts"
import { makeMessageEventWriter } from "../makeMessageEventWriter.ts"
import type { MessagesChat } from "../parseMessagesChat.ts"

interface MessageEventsOptions extends Omit<EventStreamOptions, "keepalive"> {
  /** Undefined unless the caller requested it. */
  readonly toRoutingMetadata: () => Readonly<Record<string, unknown>> | undefined
}

export const toMessageEvents = (
  stream: ChatStream,
  chat: MessagesChat,
  { toRoutingMetadata, ...options }: MessageEventsOptions
): PushStream<string> => {
  const writer = makeMessageEventWriter(stream, chat)
  return writeAnswer(
    stream.pieces,
    {
      write: (pieces) => encodeNamedEvents(writer.write(pieces)),
      end: () => encodeNamedEvents(writer.end(toRoutingMetadata())),
      fail: (error) => encodeNamedEvents(writer.fail(toMessagesErrorFacts(error)))
    },
    {
      ...options,
      keepalive: () => (writer.hasStarted() ? encodeNamedEvent(pingEvent) : toComment())
    }
  )
}
