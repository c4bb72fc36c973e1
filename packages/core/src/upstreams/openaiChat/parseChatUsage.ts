/** Parses the untrusted `usage` of an answer in OpenAI's dialect. */
import type { NanoUsd } from "../../values/usage/NanoUsd.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { ChatMetadata } from "../ChatCapability.ts"
import { isObject } from "../../values/json/isObject.ts"

/** Reads the cost from a `usage`; undefined when it has none. */
export type CostParser = (usage: Readonly<Record<string, unknown>>) => NanoUsd | undefined

type Writable<A> = { -readonly [K in keyof A]: A[K] }

/** Empty unless both token counts are present. */
export const parseChatUsage = (usage: unknown, parseCost: CostParser | undefined): ChatMetadata => {
  if (!isObject(usage)) return {}
  const inputTokens = usage["prompt_tokens"]
  const outputTokens = usage["completion_tokens"]
  if (!isCount(inputTokens) || !isCount(outputTokens)) return {}
  const input = usage["prompt_tokens_details"]
  const output = usage["completion_tokens_details"]
  const tokens: Writable<TokenUsage> = { inputTokens, outputTokens }
  copyCount(input, "cached_tokens", tokens, "cachedTokens")
  copyCount(input, "cache_write_tokens", tokens, "cacheWriteTokens")
  copyCount(input, "audio_tokens", tokens, "audioTokens")
  copyCount(output, "audio_tokens", tokens, "audioOutputTokens")
  copyCount(output, "image_tokens", tokens, "imageOutputTokens")
  copyCount(output, "reasoning_tokens", tokens, "reasoningTokens")
  copyCount(usage["server_tool_use"], "web_search_requests", tokens, "webSearches")
  const metadata: Writable<ChatMetadata> = { usage: tokens }
  const usageDetails = parseDetails(input, output)
  if (usageDetails !== undefined) metadata.usageDetails = usageDetails
  const cost = parseCost?.(usage)
  if (cost !== undefined) metadata.cost = cost
  return metadata
}

const copyCount = (
  from: unknown,
  field: string,
  tokens: Writable<TokenUsage>,
  name: keyof TokenUsage
): void => {
  if (!isObject(from) || !Object.hasOwn(from, field)) return
  const count = from[field]
  if (isCount(count)) tokens[name] = count
}

/** Other fields, such as the cost for the host, are not shown to callers. */
const parseDetails = (
  input: unknown,
  output: unknown
): Readonly<Record<string, unknown>> | undefined => {
  const inputCounts = parseCounts(input)
  const outputCounts = parseCounts(output)
  if (inputCounts === undefined && outputCounts === undefined) return undefined
  return {
    ...(inputCounts === undefined ? undefined : { prompt_tokens_details: inputCounts }),
    ...(outputCounts === undefined ? undefined : { completion_tokens_details: outputCounts })
  }
}

/** The counts among the details: usually all of them, and then the object itself. */
const parseCounts = (details: unknown): Readonly<Record<string, unknown>> | undefined => {
  if (!isObject(details)) return undefined
  let counts = 0
  let others = 0
  for (const name in details) {
    if (isCount(details[name])) counts++
    else others++
  }
  if (counts === 0) return undefined
  return others === 0
    ? details
    : Object.fromEntries(Object.entries(details).filter(([, value]) => isCount(value)))
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0
