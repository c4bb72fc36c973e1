/** The length of audio by its header is exact for ordinary files, and an upper bound for hostile ones. */
import * as fc from "fast-check"
import { expect, it, test } from "vitest"
import { findAudioMillis } from "../../src/values/audio/findAudioMillis.ts"

interface Wav {
  readonly tag?: number
  readonly channels: number
  readonly rate: number
  readonly bits: number
  readonly bytesPerSecond?: number
  readonly declared?: number
  readonly data: number
}

const wavOf = (wav: Wav): Uint8Array => {
  const bytes = new Uint8Array(44 + wav.data)
  const view = new DataView(bytes.buffer)
  bytes.set(Buffer.from("RIFF"), 0)
  bytes.set(Buffer.from("WAVEfmt "), 8)
  view.setUint32(16, 16, true)
  view.setUint16(20, wav.tag ?? 1, true)
  view.setUint16(22, wav.channels, true)
  view.setUint32(24, wav.rate, true)
  view.setUint32(28, wav.bytesPerSecond ?? (wav.rate * wav.channels * wav.bits) / 8, true)
  view.setUint16(34, wav.bits, true)
  bytes.set(Buffer.from("data"), 36)
  view.setUint32(40, wav.declared ?? wav.data, true)
  return bytes
}

/** Frames of 128 kbit/s at 44,100 Hz, each of 417 bytes and 1,152 samples. */
const mp3Of = (frames: number): Uint8Array => {
  const bytes = new Uint8Array(frames * 417)
  for (let at = 0; at < bytes.length; at += 417) bytes.set([0xff, 0xfb, 0x90, 0x00], at)
  return bytes
}

/** The slowest audio there is counts two milliseconds a byte. */
const toBound = (bytes: Uint8Array): number => bytes.length * 2

it("is that of the samples of a WAV file", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(1, 2),
      fc.constantFrom(8_000, 16_000, 44_100, 48_000),
      fc.constantFrom(8, 16, 24, 32),
      fc.integer({ min: 0, max: 20_000 }),
      (channels, rate, bits, data) => {
        const bytes = wavOf({ channels, rate, bits, data })
        const { isKnown, maxMillis, millis } = findAudioMillis(bytes)
        const exact = ((bytes.length * 8) / (rate * channels * bits)) * 1_000
        expect(isKnown).toBe(true)
        expect(millis).toBe(Math.ceil(exact))
        expect(maxMillis).toBe(millis)
      }
    )
  )
})

it("is that of the frames of an MP3 file, with or without a tag", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 60 }), fc.boolean(), (frames, hasTag) => {
      const tag = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 5, 1, 2, 3, 4, 5])
      const bytes = Buffer.concat([hasTag ? tag : Buffer.alloc(0), mp3Of(frames)])
      const { isKnown, maxMillis, millis } = findAudioMillis(bytes)
      expect(isKnown).toBe(true)
      expect(millis).toBe(Math.ceil((frames * 1_152 * 1_000) / 44_100))
      expect(maxMillis).toBe(Math.min(toBound(bytes), millis + (hasTag ? 30 : 0)))
    })
  )
})

/** A tag of ID3 with so many bytes behind its header. */
const tagOf = (bytes: number): Uint8Array =>
  Buffer.concat([
    Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, bytes >> 7, bytes & 127]),
    Buffer.alloc(bytes, 1)
  ])

test.each([
  ["two tags", [tagOf(300), tagOf(20)], 340],
  ["a tag and padding", [tagOf(300), Buffer.alloc(500)], 810],
  ["two tags with padding between them", [tagOf(9), Buffer.alloc(4), tagOf(9)], 42]
])("is that of the frames of an MP3 file behind %s", (_, parts, size) => {
  const bytes = Buffer.concat([...parts, mp3Of(1_000)])
  const millis = Math.ceil((1_000 * 1_152 * 1_000) / 44_100)
  expect(findAudioMillis(bytes)).toEqual({ isKnown: true, millis, maxMillis: millis + size * 2 })
})

it("never fails, and never exceeds the bound of the slowest audio, for any bytes", () => {
  const starts = fc.constantFrom(
    "",
    "RIFF",
    "ID3\u0004",
    "ID3\u0004\0\0\0\0\0\0\0\0ID3",
    "\u00ff\u00fb\u0090\u0000",
    "OggS"
  )
  fc.assert(
    fc.property(starts, fc.uint8Array({ maxLength: 3_000 }), fc.nat(3_000), (start, rest, cut) => {
      const bytes = Buffer.concat([Buffer.from(start, "latin1"), rest]).subarray(0, cut)
      const { maxMillis, millis } = findAudioMillis(bytes)
      expect(Number.isSafeInteger(maxMillis) && Number.isSafeInteger(millis)).toBe(true)
      expect(millis).toBeLessThanOrEqual(maxMillis)
      expect(maxMillis).toBeLessThanOrEqual(toBound(bytes))
    })
  )
})

it("is never less than the data lasts, whatever a WAV header says of itself", () => {
  const fast = { channels: 1, rate: 16_000, bits: 8, data: 32_000 }
  const honest = findAudioMillis(wavOf(fast)).maxMillis
  // It says that it is short, or that a second takes more bytes.
  expect(findAudioMillis(wavOf({ ...fast, declared: 1 })).maxMillis).toBe(honest)
  expect(findAudioMillis(wavOf({ ...fast, bytesPerSecond: 4e9 })).maxMillis).toBe(honest)
})

test.each([
  ["compressed samples", wavOf({ tag: 0x55, channels: 1, rate: 16_000, bits: 16, data: 9_000 })],
  ["more channels than there are", wavOf({ channels: 999, rate: 16_000, bits: 16, data: 9_000 })],
  ["more samples than there are", wavOf({ channels: 1, rate: 4e9, bits: 16, data: 9_000 })],
  ["samples of no rate", wavOf({ channels: 1, rate: 0, bits: 16, data: 9_000 })],
  ["a cut header", wavOf({ channels: 1, rate: 16_000, bits: 16, data: 0 }).subarray(0, 30)],
  ["one frame", mp3Of(1)],
  ["no header", new Uint8Array(9_000)]
])("of a file with %s is bounded by its size", (_, bytes) => {
  expect(findAudioMillis(bytes)).toMatchObject({ isKnown: false, maxMillis: toBound(bytes) })
})

it("of hostile bytes takes few steps", () => {
  // Every byte looks like the start of a frame, behind two that are.
  const bytes = Buffer.concat([mp3Of(2), Buffer.alloc(8_000_000, 0xff)])
  expect(findAudioMillis(bytes).isKnown).toBe(false)
})
