/** The smallest encoder of H.264 (ITU-T H.264, Constrained Baseline) that can show pictures of one colour. */
import { BitWriter } from "./BitWriter.ts"

/** Width and height in macroblocks of 16 by 16 pixels. */
export interface Macroblocks {
  readonly across: number
  readonly down: number
}

/** Brightness and the two colour differences, each 16..240. */
export interface Colour {
  readonly y: number
  readonly cb: number
  readonly cr: number
}

/** The sequence parameter set: every picture stands alone and is shown in the order it comes. */
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

/** The picture parameter set: codes of variable length, and slices that may switch the deblocking off. */
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
 * One picture of one colour. Its first macroblock holds the colour as raw samples; every other says that it
 * looks like its neighbours, in eight bits.
 */
export const encodeFrame = (size: Macroblocks, colour: Colour, at: number): Uint8Array => {
  const writer = new BitWriter()
    // A slice of the whole picture, intra alone, with picture parameter set 0.
    .writeGolomb(0, 7, 0)
    .bits(0, 4)
    // Two pictures that follow each other differ in their ids.
    .writeGolomb(at % 2)
    .bits(0, 2)
    // The quality stays, no deblocking.
    .writeGolomb(0, 1)
  writeMacroblock(writer, colour)
  for (let i = 1; i < size.across * size.down; i++) {
    // Intra 16x16 predicted by the mean of the neighbours, chroma too, the quality stays, no residual.
    writer.writeGolomb(3, 0, 0)
    // "No coefficients" has a longer code beside the raw macroblock, which counts as full of them.
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

/** A unit of the stream: no two zeros in it are followed by a byte below 4, which would look like its end. */
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
