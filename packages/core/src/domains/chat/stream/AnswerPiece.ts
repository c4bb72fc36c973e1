/** The pieces of a streamed answer in no API's words. */
import * as Stream from "effect/Stream"
import type { RoutingError } from "../../../routing/Routing.ts"
import type { ChatDeltaEvent, ChatServingInfo } from "../../../engine/upstreams/ChatCapability.ts"
import type { ChatEnd } from "../ChatAnswer.ts"
import type { AnswerHead } from "../ChatCompletion.ts"
import type { ChatChunk } from "./ChatChunk.ts"
import { makeChunkEncoder, makeLastChunk, toChunkHead } from "./ChunkEncoder.ts"
import type { ChatStream } from "./streamChat.ts"

export type AnswerPiece =
  /** Comes first. */
  | ({ readonly type: "start" } & AnswerHead)
  /** A piece of the content. */
  | ChatDeltaEvent
  /** The last piece of a complete answer. */
  | ({ readonly type: "end"; readonly marks: ChatServingInfo } & ChatEnd)

export const toPieces = ({
  created,
  events,
  id,
  model,
  provider,
  toEnd
}: ChatStream): Stream.Stream<AnswerPiece, RoutingError> =>
  Stream.succeed<AnswerPiece>({
    type: "start",
    id,
    startedAt: created * 1_000,
    model,
    provider
  }).pipe(
    Stream.concat(events),
    Stream.concat(Stream.suspend(() => Stream.succeed({ type: "end" as const, ...toEnd() })))
  )

/** Writes the pieces that follow the start as the chunks of the chat API. */
export const makeChunkWriter = (
  start: AnswerHead
): ((piece: Exclude<AnswerPiece, { readonly type: "start" }>) => ChatChunk) => {
  const head = toChunkHead(start)
  const encode = makeChunkEncoder(head)
  return (piece) => (piece.type === "delta" ? encode(piece) : makeLastChunk(head, piece))
}
