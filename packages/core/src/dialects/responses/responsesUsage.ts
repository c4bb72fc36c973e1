/** Usage between this API and the names of the chat dialect. */
import type { ChatMetadata } from "../../engine/upstreams/ChatCapability.ts"
import {
  type CostParser,
  parseChatUsage
} from "../../engine/upstreams/openaiChat/parseChatUsage.ts"
import { isWebSearch } from "../../conversation/serverTools/readsByItself.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import type { UsageFacts } from "../AnswerFacts.ts"
import { type Json, findIndex } from "./fields.ts"

/** Empty unless both token counts are present. Details are parts of the counts, as in chat. */
export const parseResponsesUsage = (
  { output, tool_usage, usage }: Json,
  parseCost?: CostParser
): ChatMetadata => {
  if (!isObject(usage)) return {}
  const searches = countSearches(output, tool_usage)
  return parseChatUsage(
    {
      ...usage,
      prompt_tokens: usage["input_tokens"],
      completion_tokens: usage["output_tokens"],
      prompt_tokens_details: usage["input_tokens_details"],
      completion_tokens_details: usage["output_tokens_details"],
      ...(searches === 0 ? undefined : { server_tool_use: { web_search_requests: searches } })
    },
    parseCost
  )
}

/** The searches that the provider counts, else the searches in the answer. */
const countSearches = (output: unknown, tools: unknown): number => {
  const reported = isObject(tools) && isObject(tools["web_search"]) ? tools["web_search"] : {}
  return findIndex(reported["num_requests"]) ?? toList(output).filter(isWebSearch).length
}

/**
 * A new object that the caller may extend; undefined while no count is known. Typed clients require both objects with
 * details.
 */
export const writeResponsesUsage = ({
  usage,
  usageFields
}: UsageFacts): Record<string, unknown> | undefined => {
  if (usage === undefined) return undefined
  const { audioOutputTokens, audioTokens, imageOutputTokens, inputTokens, outputTokens } = usage
  const details = writeCostDetails(usageFields?.["cost_details"])
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedTokens ?? 0,
      cache_write_tokens: usage.cacheWriteTokens ?? 0,
      ...(audioTokens === undefined ? undefined : { audio_tokens: audioTokens })
    },
    output_tokens: outputTokens,
    output_tokens_details: {
      reasoning_tokens: usage.reasoningTokens ?? 0,
      ...omitUndefined({ audio_tokens: audioOutputTokens, image_tokens: imageOutputTokens })
    },
    total_tokens: inputTokens + outputTokens,
    ...(usageFields === undefined ? undefined : omitCostDetails(usageFields)),
    ...(details === undefined ? undefined : { cost_details: details })
  }
}

const omitCostDetails = (fields: Json): Json => {
  if (!("cost_details" in fields)) return fields
  const { cost_details: _, ...others } = fields
  return others
}

/** The costs of input and output have other names than in chat, and typed clients require both. */
const writeCostDetails = (details: unknown): Json | undefined => {
  if (!isObject(details)) return undefined
  const {
    upstream_inference_completions_cost: output,
    upstream_inference_cost: total,
    upstream_inference_prompt_cost: input
  } = details
  if (typeof input !== "number" || typeof output !== "number") return undefined
  return {
    upstream_inference_cost: typeof total === "number" ? total : null,
    upstream_inference_input_cost: input,
    upstream_inference_output_cost: output
  }
}
