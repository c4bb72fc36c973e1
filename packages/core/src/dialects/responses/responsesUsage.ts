/** Usage between this API and the names of the chat dialect. */
import type { ChatMetadata } from "../../upstreams/ChatCapability.ts"
import { type CostParser, parseChatUsage } from "../../upstreams/openaiChat/parseChatUsage.ts"
import { isObject } from "../../values/json/isObject.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import type { UsageFacts } from "../AnswerFacts.ts"
import { type Json, findIndex, toList } from "./fields.ts"

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

/** As the provider counts them, else the calls in the answer. */
const countSearches = (output: unknown, tools: unknown): number => {
  const reported = isObject(tools) && isObject(tools["web_search"]) ? tools["web_search"] : {}
  return (
    findIndex(reported["num_requests"]) ??
    toList(output).filter((item) => isObject(item) && item["type"] === "web_search_call").length
  )
}

/** Undefined while nobody has counted. Typed clients require both objects with details. */
export const writeResponsesUsage = ({ usage, usageFields }: UsageFacts): Json | undefined => {
  if (usage === undefined) return undefined
  const { audioOutputTokens, audioTokens, imageOutputTokens, inputTokens, outputTokens } = usage
  const { cost_details, ...fields } = usageFields ?? {}
  return {
    input_tokens: inputTokens,
    input_tokens_details: {
      cached_tokens: usage.cachedTokens ?? 0,
      cache_write_tokens: usage.cacheWriteTokens ?? 0,
      ...omitUndefined({ audio_tokens: audioTokens })
    },
    output_tokens: outputTokens,
    output_tokens_details: {
      reasoning_tokens: usage.reasoningTokens ?? 0,
      ...omitUndefined({ audio_tokens: audioOutputTokens, image_tokens: imageOutputTokens })
    },
    total_tokens: inputTokens + outputTokens,
    ...fields,
    ...writeCostDetails(cost_details)
  }
}

/** The costs of input and output have other names than in chat, and typed clients require both. */
const writeCostDetails = (details: unknown): Json => {
  if (!isObject(details)) return {}
  const {
    upstream_inference_completions_cost: output,
    upstream_inference_cost: total,
    upstream_inference_prompt_cost: input
  } = details
  if (typeof input !== "number" || typeof output !== "number") return {}
  return {
    cost_details: {
      upstream_inference_cost: typeof total === "number" ? total : null,
      upstream_inference_input_cost: input,
      upstream_inference_output_cost: output
    }
  }
}
