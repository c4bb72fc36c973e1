/** Usage between Google's API and the names of the chat dialect. */
import type { ChatMetadata } from "../../engine/upstreams/ChatCapability.ts"
import {
  type CostParser,
  parseChatUsage
} from "../../engine/upstreams/openaiChat/parseChatUsage.ts"
import { isShortText } from "../chat/readAnswer.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { parseCount } from "../../values/usage/TokenUsage.ts"
import type { UsageFacts } from "../AnswerFacts.ts"
import type { Json } from "./geminiFields.ts"

/**
 * Empty without a count of the prompt. Prompts of tools are counted beside the prompt, and thoughts beside the answer unless
 * the total says that they are within it, as some versions of the API count them
 * (https://github.com/BerriAI/litellm/blob/main/litellm/llms/vertex_ai/gemini/vertex_and_google_ai_studio_gemini.py).
 * Counts of 0 are left out.
 */
export const parseGeminiUsage = (usage: unknown, parseCost?: CostParser): ChatMetadata => {
  if (!isObject(usage)) return {}
  const prompt = parseCount(usage["promptTokenCount"])
  if (prompt === undefined) return {}
  const thoughts = parseCount(usage["thoughtsTokenCount"])
  const candidates = parseCount(usage["candidatesTokenCount"]) ?? 0
  const promptTokens = prompt + (parseCount(usage["toolUsePromptTokenCount"]) ?? 0)
  const hasThoughtsWithin = parseCount(usage["totalTokenCount"]) === promptTokens + candidates
  const inputs = [usage["promptTokensDetails"], usage["toolUsePromptTokensDetails"]]
  const outputs = [usage["candidatesTokensDetails"]]
  return {
    ...parseChatUsage(
      {
        ...usage,
        prompt_tokens: promptTokens,
        completion_tokens: hasThoughtsWithin ? candidates : candidates + (thoughts ?? 0),
        prompt_tokens_details: omitUndefined({
          cached_tokens: parseCount(usage["cachedContentTokenCount"]),
          audio_tokens: sumModality(inputs, "AUDIO")
        }),
        completion_tokens_details: omitUndefined({
          reasoning_tokens: thoughts,
          audio_tokens: sumModality(outputs, "AUDIO"),
          image_tokens: sumModality(outputs, "IMAGE")
        })
      },
      parseCost
    ),
    ...parseServiceTier(usage)
  }
}

/**
 * The tier that served, by its name in chat. Gemini reports it as `serviceTier`
 * (https://ai.google.dev/gemini-api/docs/priority-inference), Vertex AI as `trafficType`
 * (https://docs.cloud.google.com/vertex-ai/generative-ai/docs/reference/rest/v1/GenerateContentResponse#TrafficType).
 */
const parseServiceTier = ({
  serviceTier,
  trafficType
}: Json): Pick<ChatMetadata, "serviceTier"> => {
  if (isShortText(serviceTier)) {
    const tier = serviceTier.toLowerCase()
    return tier.endsWith("unspecified")
      ? {}
      : { serviceTier: tier === "standard" ? "default" : tier }
  }
  const tier = typeof trafficType === "string" ? tiersByTraffic.get(trafficType) : undefined
  return tier === undefined ? {} : { serviceTier: tier }
}

const tiersByTraffic: ReadonlyMap<string, string> = new Map([
  ["ON_DEMAND", "default"],
  ["ON_DEMAND_FLEX", "flex"],
  ["ON_DEMAND_PRIORITY", "priority"]
])

/** Undefined when no list has it. */
const sumModality = (lists: ReadonlyArray<unknown>, modality: string): number | undefined => {
  let sum: number | undefined
  for (const list of lists) {
    for (const each of toList(list)) {
      if (!isObject(each) || each["modality"] !== modality) continue
      const count = parseCount(each["tokenCount"])
      if (count !== undefined) sum = (sum ?? 0) + count
    }
  }
  return sum
}

/** Undefined while no count is known. */
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
