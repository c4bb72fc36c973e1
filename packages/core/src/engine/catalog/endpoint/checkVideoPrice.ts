/** Checks the units and the numbers of `videoPrice`: under a misspelt unit videos would be sold for nothing. */
import { suggestNames } from "../../../values/validation/findNearestName.ts"
import { shorten } from "../../../values/validation/text.ts"

/** Throws a `RangeError` that names the problem. */
export const checkVideoPrice = (videoPrice: Readonly<Record<string, unknown>>): void => {
  for (const [unit, usd] of Object.entries(videoPrice)) {
    if (!isUnit(unit)) {
      throw new RangeError(
        `videoPrice.${shorten(unit)} is no unit of videos; ${suggestNames(unit, usualUnits)}`
      )
    }
    if (typeof usd !== "string" || !/^\d{1,15}(?:\.\d{1,40})?$/.test(usd)) {
      throw new RangeError(`videoPrice.${unit} must be a decimal string of USD`)
    }
  }
}

const isUnit = (name: string): boolean => otherUnits.has(name) || secondUnit.test(name)

const otherUnits: ReadonlySet<string> = new Set(["video", "video_tokens", "image"])

const resolution = String.raw`(?:_(?:\d{3,4}p|\d{1,2}k|\d{1,5}x\d{1,5}))?`
const audio = "(?:_with(?:out)?_audio)?"
const secondUnit = new RegExp(
  `^(?:(?:image|text)_to_video_)?duration_seconds(?:${resolution}${audio}|${audio}${resolution})$`,
  "i"
)

/** The units of OpenRouter's `pricing_skus`, https://openrouter.ai/docs/guides/overview/multimodal/videos. */
const usualUnits: ReadonlyArray<string> = [
  "video",
  "video_tokens",
  "image",
  "duration_seconds",
  "duration_seconds_with_audio",
  "duration_seconds_without_audio",
  "duration_seconds_720p",
  "duration_seconds_1080p",
  "duration_seconds_4K"
]
