/** Encodes the answer of an intern as server-sent events. */
import { toLastInternChunk } from "../../domains/interns/chat/toInternChunks.ts"
import type { InternChatStream } from "../../domains/interns/chat/InternChats.ts"
import { doneEvent, toEvent } from "../operation/serverSentEvents.ts"
import type { EventStreamOptions } from "../operation/withKeepalive.ts"
import { writeAnswer } from "../operation/writeAnswer.ts"
import type { ErrorResponse } from "../errors/ErrorResponse.ts"
import { fromStream, type PushStream } from "../../values/push/PushStream.ts"

/**
 * The status has been sent by the time a stream fails, so the failure is a chunk with a finish reason. The session
 * continues, so its id and `[DONE]` follow as after any other finish.
 */
export const toInternChatEvents = (
  { chunks, created, id, model, object, session }: InternChatStream,
  options: EventStreamOptions
): PushStream<string> => {
  const head = { id, object, created, model }
  const toFailureEvent = ({ message, metadata, status }: ErrorResponse): string =>
    toEvent({
      ...head,
      choices: [{ index: 0, delta: {}, finish_reason: "error" }],
      error: { code: status, message, metadata }
    }) + toEvent(toLastInternChunk(head, session, null))
  return writeAnswer(
    fromStream(chunks),
    {
      write: (arrived) => arrived.map(toEvent).join(""),
      end: () => doneEvent,
      fail: (error) => toFailureEvent(error) + doneEvent
    },
    options,
    { envelope: "internChat" }
  )
}
