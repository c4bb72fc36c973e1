/** Converts the events of an answer to chunks. */
import * as Arr from "effect/Array"
import * as Stream from "effect/Stream"
import { omitUndefined } from "../../../values/ownFields.ts"
import { InternChatFailure } from "./InternChatRequest.ts"
import type { InternChatChunk, InternChatUsage } from "./InternChatChunk.ts"
import type { InternChatEvent } from "./InternTurn.ts"

/** The fields that are the same in every chunk. */
export type InternChunkHead = Pick<InternChatChunk, "id" | "object" | "created" | "model">

/** The first chunk has the role, the last the usage. Fails when the events end before the turn does. */
export const toInternChunks = <E>(
  head: InternChunkHead,
  session: string,
  events: Stream.Stream<InternChatEvent, E>
): Stream.Stream<InternChatChunk, E | InternChatFailure> =>
  Stream.suspend(() => {
    let isComplete = false
    const toChunks = (event: InternChatEvent): Arr.NonEmptyReadonlyArray<InternChatChunk> => {
      switch (event.type) {
        case "delta": {
          const { content, reasoning } = event
          return [toChunk(head, omitUndefined({ content, reasoning }), null)]
        }
        case "question":
          isComplete = true
          return [
            toChunk(head, { tool_calls: [toToolCall(event)] }, null),
            toChunk(head, {}, "tool_calls"),
            toLastInternChunk(head, session, null)
          ]
        case "end":
          isComplete = true
          return [toChunk(head, {}, "stop"), toLastInternChunk(head, session, event.usage ?? null)]
      }
    }
    return Stream.succeed(toChunk(head, { role: "assistant" }, null)).pipe(
      Stream.concat(
        events.pipe(
          Stream.filter(hasContent),
          Stream.takeUntil(({ type }) => type !== "delta"),
          Stream.mapArray((some) => Arr.flatMap(some, toChunks))
        )
      ),
      Stream.concat(Stream.suspend(() => (isComplete ? Stream.empty : Stream.fail(streamSevered))))
    )
  })

export const toLastInternChunk = (
  head: InternChunkHead,
  session: string,
  usage: InternChatUsage | null
): InternChatChunk => ({ ...head, choices: [], session_id: session, usage })

type Choice = InternChatChunk["choices"][number]

const toChunk = (
  head: InternChunkHead,
  delta: Choice["delta"],
  finish_reason: Choice["finish_reason"]
): InternChatChunk => ({ ...head, choices: [{ index: 0, delta, finish_reason }] })

const toToolCall = ({ argumentsJson, id }: Extract<InternChatEvent, { type: "question" }>) => ({
  index: 0,
  id,
  type: "function" as const,
  function: { name: "openrouter.provide_input" as const, arguments: argumentsJson }
})

const hasContent = (event: InternChatEvent): boolean =>
  event.type !== "delta" || event.content !== undefined || event.reasoning !== undefined

const streamSevered = new InternChatFailure({
  reason: "stream_severed",
  problem: "the intern stopped in the middle of its answer"
})
