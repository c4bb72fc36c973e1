/** Encodes a streamed answer as the server-sent events of the Responses API. */
import type { ChatStream } from "../../chat/stream/streamChat.ts"
import { encodeNamedEvent } from "../../dialects/NamedEvent.ts"
import type { ResponseError } from "../../dialects/responses/responseObject.ts"
import type { ErrorResponse } from "../../http/errors/ErrorResponse.ts"
import { doneEvent } from "../../http/operation/serverSentEvents.ts"
import type { EventStreamOptions } from "../../http/operation/withKeepalive.ts"
import { writeAnswer } from "../../http/operation/writeAnswer.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import type { PushStream } from "../../values/push/PushStream.ts"
import { makeAnswerEventWriter, toResponseEnd, toResponseFacts } from "../makeAnswerWriter.ts"
import type { ResponsesChat } from "../parseResponsesChat.ts"

interface ResponsesEventsOptions extends EventStreamOptions {
  /** Routing metadata for the last response; undefined unless the caller requested it. */
  readonly toRoutingMetadata: () => Readonly<Record<string, unknown>> | undefined
}

/** The last event says whether the answer is complete, and `[DONE]` follows it in any case. */
export const toResponsesEvents = (
  started: ChatStream,
  chat: ResponsesChat,
  { toRoutingMetadata, ...options }: ResponsesEventsOptions
): PushStream<string> => {
  const { clock } = options
  const writer = makeAnswerEventWriter(toResponseFacts(started, chat))
  return writeAnswer(
    started.pieces,
    {
      write: (pieces) => {
        let text = ""
        for (const piece of pieces) {
          for (const event of writer.write(piece)) text += encodeNamedEvent(event)
        }
        return text
      },
      end: () => {
        const end = toResponseEnd(started.toEnd(), {
          completedAt: clock.currentTimeMillisUnsafe(),
          metadata: toRoutingMetadata()
        })
        return writer.end(end).map(encodeNamedEvent).join("") + doneEvent
      },
      fail: (error, isExpected) => {
        const end = toResponseEnd(started.toEnd(), {
          metadata: isExpected ? toRoutingMetadata() : undefined
        })
        return writer.fail(toResponseError(error), end).map(encodeNamedEvent).join("") + doneEvent
      }
    },
    options
  )
}

const toResponseError = ({ headers, message, metadata, status }: ErrorResponse): ResponseError => {
  const { error_type: type } = metadata ?? {}
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
