/** Finds the length of an MP3 file by its frames. */

/** The length that a header tells. */
export interface TaggedLength {
  readonly millis: number
  /** Bytes that the header says nothing of. */
  readonly unexplainedBytes: number
}

/**
 * Adds up the frames. Undefined: it is no MP3 file, because it does not begin with two frames after its tag, or too much of it
 * is no frame. The `Xing` header counts frames too, but players do not check it.
 */
export const findMp3Millis = (bytes: Uint8Array): TaggedLength | undefined => {
  let at = findStart(bytes)
  const first = readFrame(bytes, at)
  if (first === undefined || readFrame(bytes, at + first.size) === undefined) return undefined
  /** By rate, because fractions of a second would not add up exactly. */
  const samples = new Float64Array(rates.length)
  let unexplainedBytes = at
  while (at < bytes.length) {
    const frame = readFrame(bytes, at)
    if (frame !== undefined) {
      samples[frame.rate] = (samples[frame.rate] ?? 0) + frame.samples
      at += frame.size
      continue
    }
    at++
    if (++unexplainedBytes > mostUnexplainedBytes) return undefined
  }
  const millis = rates.reduce(
    (sum, rate, at) => sum + (rate === 0 ? 0 : Math.ceil(((samples[at] ?? 0) * 1_000) / rate)),
    0
  )
  return { millis, unexplainedBytes }
}

/** Covers of albums are in the tag. A search through more would take long. */
const mostUnexplainedBytes = 1_048_576

/** Where the frames begin: tools write a second tag before the first one, and zeros behind it. */
const findStart = (bytes: Uint8Array): number => {
  let at = 0
  for (;;) {
    const end = findTagEnd(bytes, at)
    if (end === at) return at
    at = end
    while (bytes[at] === 0) at++
  }
}

/** The end of an ID3 tag: https://id3.org/id3v2.4.0-structure. The same place: there is no tag. */
const findTagEnd = (bytes: Uint8Array, at: number): number => {
  const isTag = bytes[at] === 0x49 && bytes[at + 1] === 0x44 && bytes[at + 2] === 0x33
  if (!isTag) return at
  const read = (place: number) => (bytes[at + place] ?? 0) & 0x7f
  return at + 10 + ((read(6) << 21) | (read(7) << 14) | (read(8) << 7) | read(9))
}

interface Frame {
  readonly samples: number
  /** The place of its rate in `rates`. */
  readonly rate: number
  readonly size: number
}

/** http://www.mp3-tech.org/programmer/frame_header.html. Undefined: there is none, or one whose length is not stated. */
const readFrame = (bytes: Uint8Array, at: number): Frame | undefined => {
  if (bytes[at] !== 0xff) return undefined
  const kind = bytes[at + 1] ?? 0
  // Layer III alone.
  if ((kind & 0xe6) !== 0xe2) return undefined
  const version = (kind >> 3) & 3
  const bits = bytes[at + 2] ?? 0
  const rate = (version << 2) | ((bits >> 2) & 3)
  const kilobits = (version === 3 ? bitrates : lowBitrates)[bits >> 4]
  const samplesPerSecond = rates[rate]
  if (!kilobits || !samplesPerSecond) return undefined
  const samples = version === 3 ? 1_152 : 576
  const padding = (bits >> 1) & 1
  return {
    samples,
    rate,
    size: Math.floor((samples * kilobits * 125) / samplesPerSecond) + padding
  }
}

const bitrates = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
const lowBitrates = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]

/** Samples a second, by version (2.5, reserved, 2, 1) and index; 0: reserved. */
const rates: ReadonlyArray<number> = [
  [11_025, 12_000, 8_000, 0],
  [0, 0, 0, 0],
  [22_050, 24_000, 16_000, 0],
  [44_100, 48_000, 32_000, 0]
].flat()
