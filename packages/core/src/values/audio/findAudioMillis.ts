/** Finds how long a recording can be, from its header where one can be trusted, else from its size. */
import { findMp3Millis, type TaggedLength } from "./findMp3Millis.ts"

/** How long a recording is. */
export interface AudioLength {
  /** An upper bound of the length in milliseconds, by which money is reserved. */
  readonly maxMillis: number
  /** The length where the header tells it, else about what it is, in milliseconds; at most `maxMillis`. */
  readonly millis: number
  /** The header tells it. */
  readonly isKnown: boolean
}

/**
 * Compressed speech has at least so many bytes a second: Opus begins at 6 kbit/s (https://www.rfc-editor.org/rfc/rfc6716),
 * and is silent at times.
 */
const leastBytesPerSecond = 500

/** Music at 128 kbit/s, and less for speech: for an unknown length. */
const usualBytesPerSecond = 8_000

export const findAudioMillis = (bytes: Uint8Array): AudioLength => {
  const bound = toMillis(bytes.length, leastBytesPerSecond)
  const exact = findWavMillis(bytes) ?? findMp3Millis(bytes)
  if (exact === undefined) {
    return { maxMillis: bound, millis: toMillis(bytes.length, usualBytesPerSecond), isKnown: false }
  }
  // What is no audio by the header may be audio to the decoder of a provider.
  const { millis, unexplainedBytes } = exact
  const maxMillis = Math.min(bound, millis + toMillis(unexplainedBytes, leastBytesPerSecond))
  return { maxMillis, millis: Math.min(maxMillis, millis), isKnown: true }
}

const toMillis = (bytes: number, bytesPerSecond: number): number =>
  Math.ceil((bytes * 1_000) / bytesPerSecond)

/**
 * The length of a WAV file of samples. All of its bytes count as samples, not the number in the header, and the
 * slowest of the rates that the header states: the two it has are often at odds in hostile files. Undefined: it is none, or
 * its samples are compressed. https://www.mmsp.ece.mcgill.ca/Documents/AudioFormats/WAVE/WAVE.html
 */
const findWavMillis = (bytes: Uint8Array): TaggedLength | undefined => {
  if (readTag(bytes, 0) !== "RIFF" || readTag(bytes, 8) !== "WAVE") return undefined
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const format = findChunk(view, bytes)
  if (format === undefined || format + 16 > view.byteLength) return undefined
  const tag = view.getUint16(format, true)
  const code =
    tag === extensible && format + 26 <= view.byteLength ? view.getUint16(format + 24, true) : tag
  const bits = sampleFormats.get(code)
  const channels = view.getUint16(format + 2, true)
  const samplesPerSecond = view.getUint32(format + 4, true)
  const bitsPerSample = view.getUint16(format + 14, true)
  if (bits === undefined || !bits.includes(bitsPerSample)) return undefined
  if (channels === 0 || channels > mostChannels) return undefined
  if (samplesPerSecond === 0 || samplesPerSecond > mostSamplesPerSecond) return undefined
  const bytesPerSecond = Math.min(
    (samplesPerSecond * channels * bitsPerSample) / 8,
    view.getUint32(format + 8, true)
  )
  return bytesPerSecond === 0
    ? undefined
    : { millis: toMillis(bytes.length, bytesPerSecond), unexplainedBytes: 0 }
}

const extensible = 0xfffe

/** Bits of a sample, by the formats that are not compressed: integers, floats, and the two laws of G.711. */
const sampleFormats: ReadonlyMap<number, ReadonlyArray<number>> = new Map([
  [1, [8, 16, 24, 32]],
  [3, [32, 64]],
  [6, [8]],
  [7, [8]]
])

const mostChannels = 8
const mostSamplesPerSecond = 192_000

/** The place of the data of the `fmt ` chunk. A header with more chunks before it is no ordinary file. */
const findChunk = (view: DataView, bytes: Uint8Array): number | undefined => {
  let at = 12
  for (let chunks = 0; chunks < 16 && at + 8 <= view.byteLength; chunks++) {
    if (readTag(bytes, at) === "fmt ") return at + 8
    const size = view.getUint32(at + 4, true)
    at += 8 + size + (size % 2)
  }
  return undefined
}

const readTag = (bytes: Uint8Array, at: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + 4))
