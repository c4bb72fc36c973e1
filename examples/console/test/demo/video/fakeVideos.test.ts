import { it } from "@effect/vitest"
import type { ByteRange, VideoCall } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Stream from "effect/Stream"
import * as TestClock from "effect/testing/TestClock"
import { expect } from "vitest"
import { fakeVideos, shapes } from "../../../src/demo/video/fakeVideos.ts"
import { parseMp4Boxes } from "./parseMp4Boxes.ts"

const call = (more: Partial<VideoCall> = {}): VideoCall => ({
  model: "film-1",
  prompt: "A lighthouse at night",
  idempotencyKey: "key",
  ...more
})

const readContent = (upstreamId: string, range?: ByteRange) =>
  Effect.flatMap(
    fakeVideos.getContent({
      upstreamId,
      index: 0,
      ...(range === undefined ? undefined : { range })
    }),
    (content) =>
      Effect.map(Stream.runCollect(content.bytes), (chunks) => ({
        ...content,
        read: Buffer.concat(chunks)
      }))
  )

/** The video of a request. */
const makeVideo = Effect.fnUntraced(function* (requested: VideoCall) {
  const { upstreamId } = yield* fakeVideos.submit(requested)
  yield* TestClock.adjust(5_000)
  return yield* readContent(upstreamId)
})

it.layer(FetchHttpClient.layer)((it) => {
  it.effect("waits a second, takes four more, and is there", () =>
    Effect.gen(function* () {
      const { report, upstreamId } = yield* fakeVideos.submit(call({ duration: 8 }))
      expect(report).toEqual({ status: "pending" })
      const poll = fakeVideos.poll({ upstreamId })
      yield* TestClock.adjust(999)
      expect(yield* poll).toEqual({ status: "pending" })
      yield* TestClock.adjust(1)
      expect(yield* poll).toEqual({ status: "in_progress" })
      yield* TestClock.adjust(3_999)
      expect(yield* poll).toEqual({ status: "in_progress" })
      expect(yield* Effect.flip(readContent(upstreamId))).toMatchObject({ status: 409 })
      yield* TestClock.adjust(1)
      expect(yield* poll).toEqual({
        status: "completed",
        outputs: [{ index: 0 }],
        usage: { videos: 1, seconds: 8 }
      })
    })
  )

  it.effect("takes ten hours when the prompt says so", () =>
    Effect.gen(function* () {
      const { upstreamId } = yield* fakeVideos.submit(call({ prompt: "A slow dawn" }))
      yield* TestClock.adjust(36_000_999)
      expect(yield* fakeVideos.poll({ upstreamId })).toEqual({ status: "in_progress" })
      yield* TestClock.adjust(1)
      expect(yield* fakeVideos.poll({ upstreamId })).toMatchObject({ status: "completed" })
    })
  )

  it.effect("fails when the prompt says so", () =>
    Effect.gen(function* () {
      const { upstreamId } = yield* fakeVideos.submit(call({ prompt: "Please fail." }))
      yield* TestClock.adjust(5_000)
      expect(yield* fakeVideos.poll({ upstreamId })).toMatchObject({ status: "failed" })
    })
  )

  it.effect("is an MP4 of the length and shape asked for", () =>
    Effect.gen(function* () {
      const content = yield* makeVideo(call({ duration: 2, aspectRatio: "9:16" }))
      expect(content).toMatchObject({ contentType: "video/mp4", length: content.read.length })
      const instances = parseMp4Boxes(content.read)
      expect([...instances.keys()].filter((path) => !path.includes("/"))).toEqual([
        "ftyp",
        "moov",
        "mdat"
      ])
      const header = instances.get("moov/mvhd")!
      expect(header.readUInt32BE(16) / header.readUInt32BE(12)).toBe(2)
      const track = instances.get("moov/trak/tkhd")!
      expect([track.readUInt16BE(76), track.readUInt16BE(80)]).toEqual([144, 256])
      expect(content.read.length).toBeLessThan(20_000)
    })
  )

  it.effect("has pictures exactly where its index says", () =>
    Effect.gen(function* () {
      const { read } = yield* makeVideo(call({ duration: 2 }))
      const instances = parseMp4Boxes(read)
      const sizes = instances.get("moov/trak/mdia/minf/stbl/stsz")!
      const count = sizes.readUInt32BE(8)
      expect(count).toBe(10)
      let at = instances.get("moov/trak/mdia/minf/stbl/stco")!.readUInt32BE(8)
      for (let i = 0; i < count; i++) {
        const length = sizes.readUInt32BE(12 + 4 * i)
        expect(read.readUInt32BE(at)).toBe(length - 4)
        // An independent frame.
        expect(read[at + 4]).toBe(0x65)
        at += length
      }
      expect(at).toBe(read.length)
    })
  )

  it.effect("is the same for the same prompt and seed, and another for another", () =>
    Effect.gen(function* () {
      const [first, again, other] = [
        yield* makeVideo(call()),
        yield* makeVideo(call()),
        yield* makeVideo(call({ seed: 7 }))
      ]
      expect(first.read.equals(again.read)).toBe(true)
      expect(first.read.equals(other.read)).toBe(false)
    })
  )

  it.effect("is read in ranges", () =>
    Effect.gen(function* () {
      const { upstreamId } = yield* fakeVideos.submit(call())
      yield* TestClock.adjust(5_000)
      const whole = (yield* readContent(upstreamId)).read
      const total = whole.length
      const ranges: ReadonlyArray<readonly [ByteRange, number, number]> = [
        [{ first: 4, last: 7 }, 4, 7],
        [{ first: 4, last: 999_999 }, 4, total - 1],
        [{ first: total - 1 }, total - 1, total - 1],
        [{ suffix: 3 }, total - 3, total - 1],
        [{ suffix: 999_999 }, 0, total - 1]
      ]
      for (const [range, first, last] of ranges) {
        const content = yield* readContent(upstreamId, range)
        expect(content).toMatchObject({
          contentRange: { first, last, total },
          length: last - first + 1
        })
        expect(content.read.equals(whole.subarray(first, last + 1))).toBe(true)
      }
      expect(yield* Effect.flip(readContent(upstreamId, { first: total }))).toMatchObject({
        status: 416
      })
    })
  )

  it.effect.each(shapes)("comes in %s", (aspectRatio) =>
    Effect.gen(function* () {
      const [across = 0, down = 0] = aspectRatio.split(":").map(Number)
      const track = parseMp4Boxes((yield* makeVideo(call({ aspectRatio }))).read).get(
        "moov/trak/tkhd"
      )!
      expect(track.readUInt16BE(76) / track.readUInt16BE(80)).toBe(across / down)
    })
  )

  it.effect("comes only in known shapes, and is not found by another name", () =>
    Effect.gen(function* () {
      expect(yield* Effect.flip(fakeVideos.submit(call({ aspectRatio: "wide" })))).toMatchObject({
        kind: "unsupported_parameter"
      })
      expect(yield* Effect.flip(fakeVideos.poll({ upstreamId: "film-of-somebody" }))).toMatchObject(
        {
          status: 404
        }
      )
    })
  )
})
