/** The videos of a host contract: each job is done at its first poll, and all have the same bytes. */
import type { ByteRange, VideoCapability } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** Of every video: more than a socket takes at once. */
export const footage: Uint8Array = Uint8Array.from({ length: 300_000 }, (_, at) => at % 251)

const piecesOf = (bytes: Uint8Array): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.length / 50_000) }, (_, at) =>
    bytes.subarray(at * 50_000, (at + 1) * 50_000)
  )

const stretchOf = (range: ByteRange) =>
  "suffix" in range
    ? { first: footage.length - range.suffix, last: footage.length - 1 }
    : { first: range.first, last: range.last ?? footage.length - 1 }

export const film: VideoCapability = {
  submit: ({ idempotencyKey }) =>
    Effect.succeed({ upstreamId: idempotencyKey, report: { status: "pending" } }),
  poll: () => Effect.succeed({ status: "completed", outputs: [{ index: 0 }] }),
  content: ({ range }) => {
    const stretch = range === undefined ? undefined : { ...stretchOf(range), total: footage.length }
    const bytes =
      stretch === undefined ? footage : footage.subarray(stretch.first, stretch.last + 1)
    return Effect.succeed({
      contentType: "video/mp4",
      bytes: Stream.fromIterable(piecesOf(bytes)),
      length: bytes.length,
      stretch,
      takesRanges: true
    })
  },
  takesIdempotencyKey: true,
  pollEveryMillis: 1,
  worstCase: ({ duration = 4 }) => ({ videos: 1, seconds: duration })
}
