/** Converts resolution and aspect ratio to a size in pixels, because OpenAI's API has only that. */
import type { VideoCall } from "@signalbox/core/upstream"
import * as Result from "effect/Result"

/**
 * Undefined lets the model decide. An aspect ratio alone has 720 lines; a resolution alone is 16:9. Fails with the
 * parameter that has no exact size, such as `resolution` for `2K`.
 */
export const toVideoSize = ({
  aspectRatio,
  resolution,
  size
}: VideoCall): Result.Result<string | undefined, string> => {
  if (size !== undefined) return Result.succeed(size)
  if (aspectRatio === undefined && resolution === undefined) return Result.succeed(undefined)
  const [, lines] = /^(\d{3,4})p$/.exec(resolution ?? "720p") ?? []
  if (lines === undefined) return Result.fail("resolution")
  const [, across, down] = /^(\d{1,2}):(\d{1,2})$/.exec(aspectRatio ?? "16:9") ?? []
  const ratio = Number(across) / Number(down)
  if (!(Number.isFinite(ratio) && ratio > 0)) return Result.fail("aspect_ratio")
  const short = Number(lines)
  return Result.succeed(
    ratio >= 1 ? `${roundToEven(short * ratio)}x${short}` : `${short}x${roundToEven(short / ratio)}`
  )
}

/** Codecs store colors at half the width and height, so both must be even. */
const roundToEven = (pixels: number): number => 2 * Math.round(pixels / 2)
