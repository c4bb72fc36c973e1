/** Usage between Google's API and the names of the chat dialect. */
import type { ChatMetadata } from "../../upstreams/ChatCapability.ts"
import { type CostParser, parseChatUsage } from "../../upstreams/openaiChat/parseChatUsage.ts"
import { isObject } from "../../values/json/isObject.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import type { UsageFacts } from "../AnswerFacts.ts"
import type { Json } from "./geminiFields.ts"

/**
 * Empty without a count of the prompt. Prompts of tools and thoughts are counted beside the prompt and the answer, and
 * counts of 0 are left out.
 */
export const parseGeminiUsage = (usage: unknown, parseCost?: CostParser): ChatMetadata => {
  if (!isObject(usage)) return {}
  const prompt = findCount(usage["promptTokenCount"])
  if (prompt === undefined) return {}
  const thoughts = findCount(usage["thoughtsTokenCount"])
  const inputs = [usage["promptTokensDetails"], usage["toolUsePromptTokensDetails"]]
  const outputs = [usage["candidatesTokensDetails"]]
  return parseChatUsage(
    {
      ...usage,
      prompt_tokens: prompt + (findCount(usage["toolUsePromptTokenCount"]) ?? 0),
      completion_tokens: (findCount(usage["candidatesTokenCount"]) ?? 0) + (thoughts ?? 0),
      prompt_tokens_details: omitUndefined({
        cached_tokens: findCount(usage["cachedContentTokenCount"]),
        audio_tokens: sumModality(inputs, "AUDIO")
      }),
      completion_tokens_details: omitUndefined({
        reasoning_tokens: thoughts,
        audio_tokens: sumModality(outputs, "AUDIO"),
        image_tokens: sumModality(outputs, "IMAGE")
      })
    },
    parseCost
  )
}

const findCount = (value: unknown): number | undefined =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : undefined

/** Undefined when no list has it. */
const sumModality = (lists: ReadonlyArray<unknown>, modality: string): number | undefined => {
  let sum: number | undefined
  for (const list of lists) {
    if (!Array.isArray(list)) continue
    for (const each of list as ReadonlyArray<unknown>) {
      if (!isObject(each) || each["modality"] !== modality) continue
      const count = findCount(each["tokenCount"])
      if (count !== undefined) sum = (sum ?? 0) + count
    }
  }
  return sum
}

/** Undefined while nobody has counted. */
export const writeGeminiUsage = ({ usage, usageFields }: UsageFacts): Json | undefined => {
  if (usage === undefined) return undefined
  const { inputTokens, outputTokens, reasoningTokens } = usage
  const answered = Math.max(0, outputTokens - (reasoningTokens ?? 0))
  return {
    promptTokenCount: inputTokens,
    candidatesTokenCount: answered,
    totalTokenCount: inputTokens + outputTokens,
    ...omitUndefined({
      cachedContentTokenCount: usage.cachedTokens,
      thoughtsTokenCount: reasoningTokens,
      promptTokensDetails: writeModalities(inputTokens, { AUDIO: usage.audioTokens }),
      candidatesTokensDetails: writeModalities(answered, {
        AUDIO: usage.audioOutputTokens,
        IMAGE: usage.imageOutputTokens
      })
    }),
    ...usageFields
  }
}

/** Undefined when all of it is text, as far as is known. */
const writeModalities = (
  total: number,
  counts: Readonly<Record<string, number | undefined>>
): ReadonlyArray<Json> | undefined => {
  const known = Object.entries(counts).flatMap(([modality, count]) =>
    count === undefined ? [] : [[modality, count] as const]
  )
  if (known.length === 0) return undefined
  const rest = known.reduce((sum, [, count]) => sum - count, total)
  return [
    { modality: "TEXT", tokenCount: Math.max(0, rest) },
    ...known.map(([modality, tokenCount]) => ({ modality, tokenCount }))
  ]
}
