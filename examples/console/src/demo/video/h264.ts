/** A minimal H.264 encoder (ITU-T H.264, Constrained Baseline) for frames of one color. */
import { BitWriter } from "./BitWriter.ts"

/** Width and height in macroblocks of 16 by 16 pixels. */
export interface Macroblocks {
  readonly across: number
  readonly down: number
}

/** Luma and the two chroma components, each 16 to 240. */
export interface Colour {
  readonly y: number
  readonly cb: number
  readonly cr: number
}

/** The sequence parameter set: every frame is independent, in display order. */
export const encodeSequence = ({ across, down }: Macroblocks): Uint8Array =>
  encodeUnit(
    0x67,
    new BitWriter()
      // Constrained Baseline, level 3.0.
      .bits(66, 8)
      .bits(0xc0, 8)
      .bits(30, 8)
      // Id 0; frame numbers of 4 bits; order as they come (type 2); one reference frame.
      .writeGolomb(0, 0, 2, 1)
      .bits(0, 1)
      .writeGolomb(across - 1, down - 1)
      // Whole frames, direct 8x8, no cropping, nothing more.
      .bits(0b1100, 4)
      .end()
  )

/** The picture parameter set: variable-length codes, and slices that may disable deblocking. */
export const picture = encodeUnit(
  0x68,
  new BitWriter()
    .writeGolomb(0, 0)
    .bits(0, 2)
    .writeGolomb(0, 0, 0)
    .bits(0, 3)
    .writeGolomb(0, 0, 0)
    .bits(0b100, 3)
    .end()
)

/**
 * A frame of one color. Its first macroblock has the color as raw samples. Every other macroblock is predicted from its
 * neighbors, in eight bits.
 */
export const encodeFrame = (size: Macroblocks, colour: Colour, at: number): Uint8Array => {
  const writer = new BitWriter()
    // One intra slice for the whole frame, with picture parameter set 0.
    .writeGolomb(0, 7, 0)
    .bits(0, 4)
    // Consecutive frames must have different ids.
    .writeGolomb(at % 2)
    .bits(0, 2)
    // No change of the quantizer, no deblocking.
    .writeGolomb(0, 1)
  writeMacroblock(writer, colour)
  for (let i = 1; i < size.across * size.down; i++) {
    // Intra 16x16, predicted by the mean of the neighbors, also for chroma; no change of the quantizer, no residual.
    writer.writeGolomb(3, 0, 0)
    // "No coefficients" has a longer code next to the raw macroblock, which counts as full of coefficients.
    if (i === 1 || i === size.across) writer.bits(0b000011, 6)
    else writer.bits(1, 1)
  }
  return encodeUnit(0x65, writer.end())
}

const writeMacroblock = (writer: BitWriter, { cb, cr, y }: Colour): void => {
  writer.writeGolomb(25).align()
  for (const [sample, count] of [
    [y, 256],
    [cb, 64],
    [cr, 64]
  ] as const) {
    for (let i = 0; i < count; i++) writer.bits(sample, 8)
  }
}

/** A unit of the stream. Two zeros and a byte below 4 would look like a start code, so they are escaped. */
function encodeUnit(header: number, payload: Uint8Array): Uint8Array {
  const bytes = [header]
  let zeros = 0
  for (const byte of payload) {
    if (zeros === 2 && byte <= 3) {
      bytes.push(3)
      zeros = 0
    }
    bytes.push(byte)
    zeros = byte === 0 ? zeros + 1 : 0
  }
  return Uint8Array.from(bytes)
}
