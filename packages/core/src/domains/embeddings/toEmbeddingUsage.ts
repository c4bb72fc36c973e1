/** The usage and cost of embeddings, in the fields of the HTTP API. */
import { isByok } from "../../routing/Candidate.ts"
import { type RouteAttempt, sumAttemptUsage, sumCost } from "../../routing/attempt/RouteAttempt.ts"
import type { EmbeddingReply } from "../../engine/upstreams/EmbeddingCapability.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { EmbeddingList } from "./EmbeddingList.ts"

/** The sum over all attempts, with the `details` that the serving provider reports. */
export const toEmbeddingUsage = (
  attempts: ReadonlyArray<RouteAttempt>,
  details: EmbeddingReply["tokenDetails"]
): EmbeddingList["usage"] => {
  const { inputTokens = 0 } = sumAttemptUsage(attempts) ?? {}
  const cost = sumCost(attempts)
  const served = attempts.at(-1)
  // The details of an implausible usage would contradict its capped counts.
  const isPlausible = served?.implausible === undefined || served.implausible.what === "cost"
  const modalities = isPlausible ? selectModalities(details) : undefined
  return {
    prompt_tokens: inputTokens,
    total_tokens: inputTokens,
    ...(cost === undefined ? undefined : { cost: NanoUsd.toUsdNumber(cost) }),
    is_byok: served !== undefined && isByok(served.candidate),
    ...toReported(served?.implausible),
    ...(modalities === undefined ? undefined : { prompt_tokens_details: modalities })
  }
}

/** The provider's report, where it was capped. */
const toReported = (
  implausible: RouteAttempt["implausible"]
): Pick<EmbeddingList["usage"], "reported"> | undefined => {
  if (implausible === undefined) return undefined
  const { reported, usage } = implausible
  return {
    reported: usage === undefined ? { cost: reported } : { prompt_tokens: usage.inputTokens }
  }
}

const modalities = [
  "text_tokens",
  "image_tokens",
  "audio_tokens",
  "video_tokens",
  "file_tokens"
] as const

/** Undefined for one modality, whose tokens are the prompt tokens. */
const selectModalities = (
  details: EmbeddingReply["tokenDetails"] = {}
): EmbeddingList["usage"]["prompt_tokens_details"] => {
  const known = modalities.flatMap((name) => {
    const tokens = Object.hasOwn(details, name) ? details[name] : undefined
    return Number.isSafeInteger(tokens) && tokens! > 0 ? [[name, tokens] as const] : []
  })
  return known.length < 2 ? undefined : Object.fromEntries(known)
}
