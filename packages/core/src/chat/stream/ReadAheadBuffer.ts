/** A buffer between the provider of an answer and its reader, bounded in pieces and in size. */
import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Latch from "effect/Latch"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import { estimateSize } from "./estimateSize.ts"

export interface ReadAheadBuffer<A, E> {
  /** Waits while the buffer is full. */
  readonly push: (pieces: ReadonlyArray<A>) => Effect.Effect<void>
  /** Whether `push` would wait. */
  readonly isFull: () => boolean
  /** Completes the stream. */
  readonly end: () => void
  readonly failCause: (cause: Cause.Cause<E>) => void
  /** Can be read once. */
  readonly pieces: Stream.Stream<A, E>
}

export const makeReadAheadBuffer = <A, E = never>(): Effect.Effect<ReadAheadBuffer<A, E>> =>
  Effect.gen(function* () {
    const queue = yield* Queue.unbounded<A, E | Cause.Done>()
    const hasRoom = yield* Latch.make(true)
    /** A piece may exceed the remaining size, because one larger than the whole buffer would wait for ever. */
    let remaining = maxBufferedPieces * minWeight
    const pushAll = (pieces: Iterator<A>, first = pieces.next()): Effect.Effect<void> => {
      for (let next = first; next.done !== true; next = pieces.next()) {
        if (remaining <= 0) {
          const waiting = next
          hasRoom.closeUnsafe()
          return Effect.flatMap(hasRoom.await, () => pushAll(pieces, waiting))
        }
        remaining -= toWeight(next.value)
        Queue.offerUnsafe(queue, next.value)
      }
      return Effect.void
    }
    return {
      push: (pieces) => Effect.suspend(() => pushAll(pieces.values())),
      isFull: () => remaining <= 0,
      end: () => void Queue.endUnsafe(queue),
      failCause: (cause) => void Queue.failCauseUnsafe<A, E | Cause.Done>(queue, cause),
      pieces: Stream.fromQueue(queue).pipe(
        Stream.map((piece) => {
          remaining += toWeight(piece)
          if (remaining > 0) hasRoom.openUnsafe()
          return piece
        })
      )
    }
  })

/** Small pieces that the provider may be ahead of the reader. */
const maxBufferedPieces = 64

/** The minimum number of characters that a piece counts for: 64 pieces are 256 KiB. */
const minWeight = 4_096

const toWeight = (piece: unknown): number => Math.max(estimateSize(piece), minWeight)
