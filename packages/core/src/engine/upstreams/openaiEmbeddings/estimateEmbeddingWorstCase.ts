/** The maximum usage of a call for embeddings. */
import { isObject } from "../../../values/json/guards.ts"
import { countUtf8Bytes } from "../../../values/json/JsonCost.ts"
import type { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import type { EmbeddingCall, EmbeddingPart } from "../EmbeddingCapability.ts"
import type { ChatTokenLimits } from "../openaiChat/estimateChatWorstCase.ts"

/** The maximum input tokens of one part of an input, by its type. */
export type EmbeddingTokenLimits = Omit<ChatTokenLimits, "maxOutputTokens">

/** A token has at least one byte of text. Each medium counts as the maximum of its type. */
export const estimateEmbeddingWorstCase = (
  { inputs }: Pick<EmbeddingCall, "inputs">,
  limits: EmbeddingTokenLimits
): TokenUsage => {
  let inputTokens = 0
  let audioTokens = 0
  for (const input of inputs) {
    inputTokens += overheadTokens
    if (typeof input === "string") inputTokens += countUtf8Bytes(input)
    else if (!("content" in input)) inputTokens += input.length
    else {
      for (const part of input.content) {
        const tokens = getMaxTokens(part, limits)
        inputTokens += tokens
        if (part.type === "input_audio") audioTokens += tokens
      }
    }
  }
  const usage = { inputTokens, outputTokens: 0 }
  return audioTokens === 0 ? usage : { ...usage, audioTokens }
}

/** Marks that a model puts around an input. */
const overheadTokens = 8

const getMaxTokens = (
  part: EmbeddingPart,
  {
    maxAudioTokens = 50_000,
    maxFileTokens = 200_000,
    maxImageTokens,
    maxVideoTokens = 300_000
  }: EmbeddingTokenLimits
): number => {
  const { text, type } = part
  if (typeof text === "string") return countUtf8Bytes(text)
  if (type === "image_url" || type === "input_image") return maxImageTokens
  if (type === "input_video" || type === "video_url") return maxVideoTokens
  if (type !== "input_audio") return maxFileTokens
  const { input_audio: audio } = part
  const data = isObject(audio) ? audio["data"] : undefined
  return typeof data === "string" ? Math.min(data.length, maxAudioTokens) : maxAudioTokens
}
