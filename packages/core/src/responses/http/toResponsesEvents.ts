/** Encodes a streamed answer as the server-sent events of the Responses API. */
import type { ChatStream } from "../../chat/stream/streamChat.ts"
import { encodeNamedEvents } from "../../dialects/NamedEvent.ts"
import type { ResponseError } from "../../dialects/responses/responseObject.ts"
import type { ErrorResponse } from "../../http/errors/ErrorResponse.ts"
import { doneEvent } from "../../http/operation/serverSentEvents.ts"
import type { EventStreamOptions } from "../../http/operation/withKeepalive.ts"
import { writeAnswer } from "../../http/operation/writeAnswer.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import type { PushStream } from "../../values/push/PushStream.ts"
import { makeResponseEventWriter } from "../makeResponseEventWriter.ts"
import type { ResponsesChat } from "../parseResponsesChat.ts"

interface ResponsesEventsOptions extends EventStreamOptions {
  /** Routing metadata for the last response; undefined unless the caller requested it. */
  readonly toRoutingMetadata: () => Readonly<Record<string, unknown>> | undefined
}

/** The last event says whether the answer is complete, and `[DONE]` follows it in any case. */
export const toResponsesEvents = (
  stream: ChatStream,
  chat: ResponsesChat,
  { toRoutingMetadata, ...options }: ResponsesEventsOptions
): PushStream<string> => {
  const writer = makeResponseEventWriter(stream, chat, options.clock)
  return writeAnswer(
    stream.pieces,
    {
      write: (pieces) => encodeNamedEvents(writer.write(pieces)),
      end: () => encodeNamedEvents(writer.end(toRoutingMetadata())) + doneEvent,
      fail: (error, isExpected) =>
        encodeNamedEvents(
          writer.fail(toResponseError(error), isExpected ? toRoutingMetadata() : undefined)
        ) + doneEvent
    },
    options
  )
}

const toResponseError = ({ headers, message, metadata, status }: ErrorResponse): ResponseError => {
  const type = metadata?.["error_type"]
  const seconds = Number(headers?.["retry-after"])
  return {
    status,
    message,
    ...omitUndefined({
      errorType: typeof type === "string" ? type : undefined,
      retryAfterMillis: Number.isFinite(seconds) ? seconds * 1_000 : undefined
    })
  }
}
