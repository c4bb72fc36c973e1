/** Finds the length of an MP3 file by its frames. */

/** The length that a header tells. */
export interface TaggedLength {
  readonly millis: number
  /** Bytes that the header says nothing of. */
  readonly unexplainedBytes: number
}

/**
 * Adds up the frames. Undefined: it is no MP3 file, because it does not begin with two frames after its tag, or too much of it
 * is no frame. The `Xing` header counts frames too, but nobody checks it.
 */
export const findMp3Millis = (bytes: Uint8Array): TaggedLength | undefined => {
  let at = findTagEnd(bytes)
  const first = readFrame(bytes, at)
  if (first === undefined || readFrame(bytes, at + first.size) === undefined) return undefined
  /** By rate, because fractions of a second would not add up exactly. */
  const samples = new Map<number, number>()
  let unexplainedBytes = at
  while (at < bytes.length) {
    const frame = readFrame(bytes, at)
    if (frame !== undefined) {
      const { samplesPerSecond } = frame
      samples.set(samplesPerSecond, (samples.get(samplesPerSecond) ?? 0) + frame.samples)
      at += frame.size
      continue
    }
    const next = bytes.indexOf(0xff, at + 1)
    const end = next === -1 ? bytes.length : next
    unexplainedBytes += end - at
    at = end
    if (unexplainedBytes > mostUnexplainedBytes) return undefined
  }
  let millis = 0
  for (const [rate, count] of samples) millis += Math.ceil((count * 1_000) / rate)
  return { millis, unexplainedBytes }
}

/** Covers of albums are in the tag. A search through more would take long. */
const mostUnexplainedBytes = 1_048_576

/** The end of an ID3 tag at the start: https://id3.org/id3v2.4.0-structure. */
const findTagEnd = (bytes: Uint8Array): number => {
  const [i, d, three, , , , a = 0, b = 0, c = 0, e = 0] = bytes
  const isTag = i === 0x49 && d === 0x44 && three === 0x33
  return isTag ? 10 + (((a & 0x7f) << 21) | ((b & 0x7f) << 14) | ((c & 0x7f) << 7) | (e & 0x7f)) : 0
}

interface Frame {
  readonly samples: number
  readonly samplesPerSecond: number
  readonly size: number
}

/** http://www.mp3-tech.org/programmer/frame_header.html. Undefined: there is none, or one whose length is not stated. */
const readFrame = (bytes: Uint8Array, at: number): Frame | undefined => {
  const [sync = 0, kind = 0, rates = 0] = bytes.subarray(at, at + 3)
  if (sync !== 0xff || (kind & 0xe0) !== 0xe0) return undefined
  const version = (kind >> 3) & 3
  const layer = (kind >> 1) & 3
  const kilobits = (version === 3 ? bitrates : lowBitrates)[rates >> 4]
  const samplesPerSecond = sampleRates[version]?.[(rates >> 2) & 3]
  // Layer III alone; version 1 is reserved.
  if (layer !== 1 || !kilobits || samplesPerSecond === undefined) return undefined
  const samples = version === 3 ? 1_152 : 576
  const padding = (rates >> 1) & 1
  const size = Math.floor((samples * kilobits * 125) / samplesPerSecond) + padding
  return { samples, samplesPerSecond, size }
}

const bitrates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const lowBitrates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

/** By version: 2.5, reserved, 2, 1. */
const sampleRates: ReadonlyArray<ReadonlyArray<number>> = [
  [11_025, 12_000, 8_000],
  [],
  [22_050, 24_000, 16_000],
  [44_100, 48_000, 32_000]
]
