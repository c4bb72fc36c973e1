/** Encodes a silent MP4 video of one color that fades to another. */
import { type Colour, encodeFrame, type Macroblocks, picture, encodeSequence } from "./h264.ts"
import { encodeMp4 } from "./mp4.ts"

export interface Fade {
  readonly seconds: number
  readonly size: Macroblocks
  /** The hue at the start, in degrees. */
  readonly hue: number
}

export const encodeFade = ({ hue, seconds, size }: Fade): Uint8Array => {
  const count = Math.round((seconds * 1_000) / frameMillis)
  return encodeMp4({
    width: 16 * size.across,
    height: 16 * size.down,
    frameMillis,
    sequence: encodeSequence(size),
    picture,
    frames: Array.from({ length: count }, (_, at) =>
      encodeFrame(size, toColour(hue + (90 * at) / count), at)
    )
  })
}

const frameMillis = 200

const toColour = (degrees: number): Colour => {
  const angle = (degrees / 180) * Math.PI
  return {
    y: 144,
    cb: Math.round(128 + 72 * Math.cos(angle)),
    cr: Math.round(128 + 72 * Math.sin(angle))
  }
}
