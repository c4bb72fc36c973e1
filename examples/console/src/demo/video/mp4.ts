/** Writes H.264 frames into an MP4 file (ISO/IEC 14496-12 and -15), with the index first. */

export interface Track {
  /** Pixels. */
  readonly width: number
  readonly height: number
  /** Milliseconds for each frame. */
  readonly frameMillis: number
  readonly sequence: Uint8Array
  readonly picture: Uint8Array
  /** Each frame is independent of the others. */
  readonly frames: ReadonlyArray<Uint8Array>
}

export const encodeMp4 = (track: Track): Uint8Array => {
  const samples = track.frames.map((frame) => Buffer.concat([u32(frame.length), frame]))
  const head = encodeBox("ftyp", "isom", u32(512), "isom", "iso2", "avc1", "mp41")
  // The length of the index does not depend on the offset in it.
  const dataAt = head.length + encodeIndex(track, samples, 0).length + 8
  return Buffer.concat([head, encodeIndex(track, samples, dataAt), encodeBox("mdat", ...samples)])
}

const encodeIndex = (track: Track, samples: ReadonlyArray<Buffer>, dataAt: number): Buffer => {
  const { frameMillis, height, width } = track
  const duration = samples.length * frameMillis
  return encodeBox(
    "moov",
    encodeFullBox(
      "mvhd",
      u32(0, 0, 1_000, duration, 0x10000),
      u16(0x100),
      zeros(10),
      matrix,
      zeros(24),
      u32(2)
    ),
    encodeBox(
      "trak",
      // Enabled, and part of the presentation.
      encodeFullBox(
        "tkhd",
        u32(0, 0, 1, 0, duration),
        zeros(16),
        matrix,
        u32(width << 16, height << 16),
        3
      ),
      encodeBox(
        "mdia",
        encodeFullBox("mdhd", u32(0, 0, 1_000, duration), u16(0x55c4, 0)),
        encodeFullBox("hdlr", u32(0), "vide", zeros(12), "picture\0"),
        encodeBox(
          "minf",
          encodeFullBox("vmhd", zeros(8), 1),
          encodeBox("dinf", encodeFullBox("dref", u32(1), encodeFullBox("url ", 1))),
          encodeBox(
            "stbl",
            encodeFullBox("stsd", u32(1), encodeDescription(track)),
            encodeFullBox("stts", u32(1, samples.length, frameMillis)),
            encodeFullBox("stsc", u32(1, 1, samples.length, 1)),
            encodeFullBox("stsz", u32(0, samples.length, ...samples.map(({ length }) => length))),
            encodeFullBox("stco", u32(1, dataAt))
          )
        )
      )
    )
  )
}

const encodeDescription = ({ height, picture, sequence, width }: Track): Buffer =>
  encodeBox(
    "avc1",
    zeros(6),
    u16(1),
    zeros(16),
    u16(width, height),
    u32(0x480000, 0x480000, 0),
    u16(1),
    zeros(32),
    u16(0x18, 0xffff),
    encodeBox(
      "avcC",
      Buffer.of(1),
      sequence.subarray(1, 4),
      // Lengths of four bytes; one sequence parameter set.
      Buffer.of(0xff, 0xe1),
      u16(sequence.length),
      sequence,
      Buffer.of(1),
      u16(picture.length),
      picture
    )
  )

type Part = Uint8Array | string

const encodeBox = (type: string, ...parts: ReadonlyArray<Part>): Buffer => {
  const body = Buffer.concat(
    parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : part))
  )
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, "latin1"), body])
}

/** A box with version 0 and flags. */
const encodeFullBox = (type: string, ...parts: ReadonlyArray<Part | number>): Buffer => {
  const flags = parts.find((part) => typeof part === "number") ?? 0
  return encodeBox(type, u32(flags), ...parts.filter((part) => typeof part !== "number"))
}

const u32 = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i)
  return bytes
}

const u16 = (...values: ReadonlyArray<number>): Buffer => {
  const bytes = Buffer.alloc(2 * values.length)
  for (const [i, value] of values.entries()) bytes.writeUInt16BE(value, 2 * i)
  return bytes
}

const zeros = (count: number): Buffer => Buffer.alloc(count)

/** No rotation, no scaling. */
const matrix = u32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)
