/** Makes what an intern answers what the wire calls chunks. Source: wire, createInternChatCompletion. */
import * as Arr from "effect/Array"
import * as Stream from "effect/Stream"
import { InternChatFailure } from "./InternChatErrors.ts"
import type { InternChatChunk, InternChatUsage } from "./InternChatChunk.ts"
import type { InternChatEvent } from "./InternTurn.ts"

/** What is the same in each chunk. */
export type InternChunkHead = Pick<InternChatChunk, "id" | "object" | "created" | "model">

/** Begins with the role, and ends with the usage; fails when the events stop before the turn is over. */
export const internChunking = <E>(
  head: InternChunkHead,
  session: string,
  events: Stream.Stream<InternChatEvent, E>
): Stream.Stream<InternChatChunk, E | InternChatFailure> =>
  Stream.suspend(() => {
    let isWhole = false
    const chunksOf = (event: InternChatEvent): Arr.NonEmptyReadonlyArray<InternChatChunk> => {
      switch (event.type) {
        case "delta":
          return [chunkOf(head, deltaOf(event), null)]
        case "question":
          isWhole = true
          return [
            chunkOf(head, { tool_calls: [callOf(event)] }, null),
            chunkOf(head, {}, "tool_calls"),
            lastInternChunk(head, session, null)
          ]
        case "end":
          isWhole = true
          return [chunkOf(head, {}, "stop"), lastInternChunk(head, session, event.usage ?? null)]
      }
    }
    return Stream.succeed(chunkOf(head, { role: "assistant" }, null)).pipe(
      Stream.concat(
        events.pipe(
          Stream.filter(says),
          Stream.takeUntil(({ type }) => type !== "delta"),
          Stream.mapArray((some) => Arr.flatMap(some, chunksOf))
        )
      ),
      Stream.concat(Stream.suspend(() => (isWhole ? Stream.empty : Stream.fail(severed))))
    )
  })

export const lastInternChunk = (
  head: InternChunkHead,
  session: string,
  usage: InternChatUsage | null
): InternChatChunk => ({ ...head, choices: [], session_id: session, usage })

type Choice = InternChatChunk["choices"][number]

const chunkOf = (
  head: InternChunkHead,
  delta: Choice["delta"],
  finish_reason: Choice["finish_reason"]
): InternChatChunk => ({ ...head, choices: [{ index: 0, delta, finish_reason }] })

const deltaOf = ({
  content,
  reasoning
}: Extract<InternChatEvent, { type: "delta" }>): Choice["delta"] => ({
  ...(content === undefined ? undefined : { content }),
  ...(reasoning === undefined ? undefined : { reasoning })
})

const callOf = ({ asks, id }: Extract<InternChatEvent, { type: "question" }>) => ({
  index: 0,
  id,
  type: "function" as const,
  function: { name: "openrouter.provide_input" as const, arguments: asks }
})

const says = (event: InternChatEvent): boolean =>
  event.type !== "delta" || event.content !== undefined || event.reasoning !== undefined

const severed = new InternChatFailure({
  reason: "stream_severed",
  problem: "the intern stopped in the middle of its answer"
})
