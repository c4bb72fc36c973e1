/** Handlers of the Responses API. */
import * as Effect from "effect/Effect"
import { encodeNamedEvents } from "../../dialects/NamedEvent.ts"
import type { ResponseError } from "../../dialects/responses/responseObject.ts"
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import { makeAnswerApi } from "../operation/makeAnswerApi.ts"
import type { Handlers } from "../operation/Handler.ts"
import { doneEvent } from "../operation/serverSentEvents.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { makeResponseEventWriter } from "../../domains/responses/makeResponseEventWriter.ts"
import { decodeResponsesChat } from "../../domains/responses/parseResponsesChat.ts"
import { writeResponse } from "../../domains/responses/writeResponse.ts"
import type { ResponsesApi } from "./ResponsesApi.ts"

export const responsesHandlers = Effect.map(
  makeAnswerApi({
    name: "responses",
    decode: decodeResponsesChat,
    write: (answer, chat, { clock, routing }) =>
      writeResponse(answer, chat, {
        completedAt: clock.currentTimeMillisUnsafe(),
        metadata: routing.toMetadata()
      }),
    // The last event says whether the answer is complete, and `[DONE]` follows it in any case.
    makeEventWriter: (stream, chat, { clock, routing }) => {
      const writer = makeResponseEventWriter(stream, chat, clock)
      return {
        write: (pieces) => encodeNamedEvents(writer.write(pieces)),
        end: () => encodeNamedEvents(writer.end(routing.toMetadata())) + doneEvent,
        fail: (error, isExpected) =>
          encodeNamedEvents(
            writer.fail(toResponseError(error), isExpected ? routing.toMetadata() : undefined)
          ) + doneEvent
      }
    }
  }),
  ({ create }) => ({ create }) satisfies Handlers<typeof ResponsesApi>
)

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
