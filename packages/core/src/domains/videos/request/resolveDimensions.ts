/** Converts between `size` and `resolution` with `aspect_ratio`, because each provider supports one of them. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import type { VideoCapabilities } from "../../../engine/catalog/model/VideoCapabilities.ts"
import { failInvalid } from "../../../routing/parseRequest.ts"
import type { InvalidRequest } from "../../../values/errors/RequestErrors.ts"
import { optionalText } from "../../../values/schemaFields.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import type { VideoRequest } from "./VideoRequest.ts"

export const Dimensions = Schema.Struct({
  size: optionalText,
  resolution: optionalText,
  aspectRatio: optionalText
})
export type Dimensions = typeof Dimensions.Type

type RequestedDimensions = Pick<VideoRequest, "aspect_ratio" | "resolution" | "size">

/** The requested form and, where the model supports it, the other one. Fails when they contradict each other. */
export const resolveDimensions = (
  asked: RequestedDimensions,
  capabilities: Pick<
    VideoCapabilities,
    "supported_aspect_ratios" | "supported_resolutions" | "supported_sizes"
  >
): Result.Result<Dimensions, InvalidRequest> => {
  const { aspect_ratio: aspectRatio, resolution, size } = asked
  const known = omitUndefined({ resolution, aspectRatio })
  if (size === undefined) {
    if (resolution === undefined || aspectRatio === undefined) return Result.succeed(known)
    const match = capabilities.supported_sizes?.find(
      (each) => hasResolution(each, resolution) && hasRatio(each, aspectRatio)
    )
    return Result.succeed({ ...known, ...omitUndefined({ size: match }) })
  }
  if (aspectRatio !== undefined && !hasRatio(size, aspectRatio)) {
    return failContradiction("aspect_ratio", aspectRatio, size)
  }
  if (resolution !== undefined && !hasResolution(size, resolution)) {
    return failContradiction("resolution", resolution, size)
  }
  return Result.succeed({
    ...omitUndefined({
      resolution: (capabilities.supported_resolutions ?? knownResolutions).find((each) =>
        hasResolution(size, each)
      ),
      aspectRatio: (capabilities.supported_aspect_ratios ?? knownRatios).find((each) =>
        hasRatio(size, each)
      )
    }),
    ...known,
    size
  })
}

/** The values of the HTTP API, for models with unknown capabilities. */
export const knownResolutions = ["360p", "480p", "720p", "768p", "1080p", "1K", "2K", "4K"]
export const knownRatios = ["16:9", "9:16", "1:1", "4:3", "3:4", "3:2", "2:3", "21:9", "9:21"]

const failContradiction = (field: string, value: string, size: string) =>
  failInvalid([field], `${value} contradicts the size ${size}; state one of them`)

const parsePair = (text: string): readonly [number, number] => {
  const [one = 0, other = 0] = text.split(/[x:]/).map(Number)
  return [one, other]
}

/** Encoders round to even numbers or multiples of 16, so 854x480 counts as 16:9 and 992x432 as 21:9. */
const ratioTolerance = 0.03

export const hasRatio = (size: string, ratio: string): boolean => {
  const [width, height] = parsePair(size)
  const [across, down] = parsePair(ratio)
  return Math.abs(width / height / (across / down) - 1) <= ratioTolerance
}

/**
 * Matches the short side, as in 720p, or the number of pixels at 16:9, which some models keep for every aspect
 * ratio.
 */
export const hasResolution = (size: string, resolution: string): boolean => {
  const [width, height] = parsePair(size)
  const short = Math.min(width, height)
  return toShortSides(resolution).some(
    (side) =>
      short === side || Math.abs((width * height) / (side * side * (16 / 9)) - 1) <= pixelTolerance
  )
}

const pixelTolerance = 0.05

const toShortSides = (resolution: string): ReadonlyArray<number> => {
  const lines = /^(\d+)p$/.exec(resolution)?.[1]
  if (lines !== undefined) return [Number(lines)]
  return { "1K": [1024, 1080], "2K": [1080, 1440], "4K": [2160] }[resolution] ?? []
}
