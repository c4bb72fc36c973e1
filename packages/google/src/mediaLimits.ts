/** How many tokens media have at most, for the reservation. */
import type { OptionTypes } from "@signalbox/core/upstream"

/** Input tokens of one medium, and output tokens of one answer. */
export interface MediaLimits {
  /** The most input tokens of one image, for the reservation. Default 20,000. */
  readonly maxImageTokens?: number | undefined
  /** The same for audio, or the number of its bytes if that is less. Default 50,000: 26 minutes at 32 tokens a second. */
  readonly maxAudioTokens?: number | undefined
  /** The same for a video. Default 300,000: 16 minutes at 300 tokens a second. */
  readonly maxVideoTokens?: number | undefined
  /** The same for a file that is not text, such as a PDF. Default 200,000. */
  readonly maxFileTokens?: number | undefined
  /**
   * The most output tokens of an answer that neither the caller nor the endpoint limits. Default: the model's maximum.
   */
  readonly maxOutputTokens?: number | undefined
}

export const mediaLimitTypes: OptionTypes<MediaLimits> = {
  maxImageTokens: ["number"],
  maxAudioTokens: ["number"],
  maxVideoTokens: ["number"],
  maxFileTokens: ["number"],
  maxOutputTokens: ["number"]
}

/** The limits of the options; throws a `RangeError` for one that is no whole number. */
export const mediaLimits = ({
  maxAudioTokens,
  maxFileTokens,
  maxImageTokens = 20_000,
  maxOutputTokens,
  maxVideoTokens
}: MediaLimits) => {
  const limits = { maxAudioTokens, maxFileTokens, maxImageTokens, maxOutputTokens, maxVideoTokens }
  for (const [name, most] of Object.entries(limits)) {
    if (most !== undefined && (!Number.isSafeInteger(most) || most < 0)) {
      throw new RangeError(`${name} must be a whole number, got ${most}`)
    }
  }
  return limits
}
