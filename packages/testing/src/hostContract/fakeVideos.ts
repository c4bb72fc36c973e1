/** Videos in process. Each job completes at its first poll, and all have the same bytes. */
import type { ByteRange, VideoCapability } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

/** The bytes of every video, more than a socket buffers. */
export const videoBytes: Uint8Array = Uint8Array.from({ length: 300_000 }, (_, at) => at % 251)

const splitBytes = (bytes: Uint8Array): ReadonlyArray<Uint8Array> =>
  Array.from({ length: Math.ceil(bytes.length / 50_000) }, (_, at) =>
    bytes.subarray(at * 50_000, (at + 1) * 50_000)
  )

const resolveRange = (range: ByteRange) =>
  "suffix" in range
    ? { first: videoBytes.length - range.suffix, last: videoBytes.length - 1 }
    : { first: range.first, last: range.last ?? videoBytes.length - 1 }

export const fakeVideos: VideoCapability = {
  submit: ({ idempotencyKey }) =>
    Effect.succeed({ upstreamId: idempotencyKey, report: { status: "pending" } }),
  poll: () => Effect.succeed({ status: "completed", outputs: [{ index: 0 }] }),
  getContent: ({ range }) => {
    const contentRange =
      range === undefined ? undefined : { ...resolveRange(range), total: videoBytes.length }
    const bytes =
      contentRange === undefined
        ? videoBytes
        : videoBytes.subarray(contentRange.first, contentRange.last + 1)
    return Effect.succeed({
      contentType: "video/mp4",
      bytes: Stream.fromIterable(splitBytes(bytes)),
      length: bytes.length,
      contentRange,
      acceptsRanges: true
    })
  },
  supportsIdempotencyKey: true,
  pollIntervalMillis: 1,
  estimateWorstCase: ({ duration = 4 }) => ({ videos: 1, seconds: duration })
}
