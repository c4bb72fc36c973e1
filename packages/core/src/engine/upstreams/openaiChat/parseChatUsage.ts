/** Parses the untrusted `usage` of an answer in OpenAI's dialect, by the names that its speakers use. */
import { isObject } from "../../../values/json/guards.ts"
import type { NanoUsd } from "../../../values/usage/NanoUsd.ts"
import { parseCount, type TokenUsage } from "../../../values/usage/TokenUsage.ts"
import type { ChatMetadata } from "../ChatCapability.ts"

/** Reads the cost from a `usage`; undefined when it states none. */
export type CostParser = (usage: Json) => NanoUsd | undefined

type Json = Readonly<Record<string, unknown>>
type Writable<A> = { -readonly [K in keyof A]: A[K] }

/** Empty unless both token counts are present, or one and the total. */
export const parseChatUsage = (usage: unknown, parseCost: CostParser | undefined): ChatMetadata => {
  if (!isObject(usage)) return {}
  const input = findObject(usage, "prompt_tokens_details", "prompt_token_details")
  const output = findObject(usage, "completion_tokens_details", "completion_token_details")
  const parts: Writable<Partial<TokenUsage>> = {}
  for (const { name, places } of countNames) {
    const count = findCount(places, usage, input, output)
    // Zero says nothing that an absent count does not.
    if (count === 0 && name === "cacheWrite1hTokens") continue
    if (count !== undefined) parts[name] = count
  }
  const tokens = countTokens(usage, parts)
  if (tokens === undefined) return {}
  const metadata: Writable<ChatMetadata> = { usage: Object.assign(tokens, parts) }
  const usageDetails = parseDetails(input, output, parts)
  if (usageDetails !== undefined) metadata.usageDetails = usageDetails
  const cost = parseCost?.(usage)
  if (cost !== undefined) metadata.cost = cost
  return metadata
}

/** The place of a count: in the usage or one of its details, directly or in an object within. */
type Place = readonly [object: "usage" | "input" | "output", name: string, within?: string]

interface CountName {
  readonly name: keyof TokenUsage
  readonly places: ReadonlyArray<Place>
}

/**
 * The names of each count, the usual one first. docs/explanation/charging.md says who uses which, and the rows of
 * e2e/billing/providerUsage.ts have the source of each.
 */
const countNames: ReadonlyArray<CountName> = [
  {
    name: "cachedTokens",
    places: [
      ["input", "cached_tokens"],
      ["usage", "prompt_cache_hit_tokens"],
      ["usage", "cached_tokens"],
      ["usage", "num_cached_tokens"],
      ["usage", "cache_read_input_tokens"],
      ["input", "cache_read_tokens"]
    ]
  },
  {
    name: "cacheWriteTokens",
    places: [
      ["input", "cache_write_tokens"],
      ["input", "cache_creation_input_tokens"],
      ["input", "cache_creation_tokens"],
      ["usage", "cache_creation_input_tokens"],
      ["usage", "cache_write_tokens"]
    ]
  },
  {
    name: "cacheWrite1hTokens",
    places: [
      ["usage", "cache_creation", "ephemeral_1h_input_tokens"],
      ["input", "cache_creation", "ephemeral_1h_input_tokens"],
      ["input", "cache_creation_token_details", "ephemeral_1h_input_tokens"]
    ]
  },
  { name: "audioTokens", places: [["input", "audio_tokens"]] },
  { name: "audioOutputTokens", places: [["output", "audio_tokens"]] },
  { name: "imageOutputTokens", places: [["output", "image_tokens"]] },
  {
    name: "reasoningTokens",
    places: [
      ["output", "reasoning_tokens"],
      ["usage", "reasoning_tokens"]
    ]
  },
  {
    name: "webSearches",
    places: [
      ["usage", "server_tool_use", "web_search_requests"],
      ["usage", "num_search_queries"],
      ["usage", "server_side_tool_usage_details", "web_search_calls"],
      ["usage", "web_search_usage", "tool_usage"],
      ["usage", "num_sources_used"]
    ]
  }
]

/** The first that is not 0, else 0 if there is one. Allocates nothing, because every answer has most places empty. */
const findCount = (
  places: ReadonlyArray<Place>,
  usage: Json,
  input: Json | undefined,
  output: Json | undefined
): number | undefined => {
  let found: number | undefined
  for (const place of places) {
    const holder = place[0] === "usage" ? usage : place[0] === "input" ? input : output
    const value = getOwn(holder, place[1])
    const count = parseCount(place[2] === undefined ? value : getOwn(value, place[2]))
    if (count !== undefined && count > 0) return count
    found ??= count
  }
  return found
}

const getOwn = (holder: unknown, name: string): unknown =>
  isObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined

const findObject = (usage: Json, ...names: ReadonlyArray<string>): Json | undefined => {
  for (const name of names) {
    const value = Object.hasOwn(usage, name) ? usage[name] : undefined
    if (isObject(value)) return value
  }
  return undefined
}

/** Other fields, such as the cost for the host, are not shown to callers. */
const parseDetails = (
  input: Json | undefined,
  output: Json | undefined,
  parts: Partial<TokenUsage>
): Json | undefined => {
  const { cachedTokens, cacheWriteTokens, reasoningTokens } = parts
  let inputCounts = parseCounts(input)
  inputCounts = addCount(inputCounts, "cached_tokens", cachedTokens)
  inputCounts = addCount(inputCounts, "cache_write_tokens", cacheWriteTokens)
  const outputCounts = addCount(parseCounts(output), "reasoning_tokens", reasoningTokens)
  if (inputCounts === undefined && outputCounts === undefined) return undefined
  return {
    ...(inputCounts === undefined ? undefined : { prompt_tokens_details: inputCounts }),
    ...(outputCounts === undefined ? undefined : { completion_tokens_details: outputCounts })
  }
}

/** With what the provider reports elsewhere, or under another name. */
const addCount = (counts: Json | undefined, name: string, count: number | undefined) =>
  count === undefined || counts?.[name] === count ? counts : { ...counts, [name]: count }

/** The counts among the details: usually all of them, and then the object itself. */
const parseCounts = (details: Json | undefined): Json | undefined => {
  if (details === undefined) return undefined
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

const isCount = (value: unknown): boolean =>
  typeof value === "number" && parseCount(value) === value

/**
 * The total decides: what it has beyond prompt and completion is part of the answer, unless it is just what a cache held.
 * So reasoning is added where xAI counts it beside the completion (https://github.com/vercel/ai/issues/12425), is not where
 * OpenAI counts it within, and is found where gateways to Gemini leave it out of the completion
 * (https://github.com/router-for-me/CLIProxyAPI/issues/5733) or name it nowhere
 * (https://github.com/mozilla-ai/any-llm/issues/1290). Without a total that says so, a part that
 * exceeds its whole is beside it. Perplexity's total leaves out reasoning and citations, which it charges beside the rest
 * (https://docs.perplexity.ai/getting-started/pricing).
 */
export const countTokens = (
  usage: Json,
  { cacheWriteTokens = 0, cachedTokens = 0, reasoningTokens = 0 }: Partial<TokenUsage>
): Pick<TokenUsage, "inputTokens" | "outputTokens"> | undefined => {
  const total = parseCount(usage["total_tokens"])
  const prompt = parseCount(usage["prompt_tokens"]) ?? parseCount(usage["input_tokens"])
  const completion = parseCount(usage["completion_tokens"]) ?? parseCount(usage["output_tokens"])
  const inputTokens = prompt ?? subtract(total, completion)
  const outputTokens = completion ?? subtract(total, prompt)
  if (inputTokens === undefined || outputTokens === undefined) return undefined
  const citations = parseCount(usage["citation_tokens"])
  if (citations !== undefined) {
    return toTokens(inputTokens + citations, outputTokens + reasoningTokens)
  }
  const held = cachedTokens + cacheWriteTokens
  const rest = (total ?? 0) - inputTokens - outputTokens
  const isHeldBeside =
    held > inputTokens ||
    (held > 0 && rest !== reasoningTokens && isOneOf(rest, held, reasoningTokens))
  const others = Math.max(0, isHeldBeside ? rest - held : rest)
  const hasReasoningBeside = others === 0 && reasoningTokens > outputTokens
  return toTokens(
    isHeldBeside ? inputTokens + held : inputTokens,
    outputTokens + (hasReasoningBeside ? reasoningTokens : others)
  )
}

/** Whether the rest of the total is what a cache held, alone or with the reasoning. */
const isOneOf = (rest: number, held: number, reasoning: number): boolean =>
  rest === held || rest === held + reasoning

const subtract = (total: number | undefined, part: number | undefined): number | undefined =>
  total === undefined || part === undefined || part > total ? undefined : total - part

const toTokens = (inputTokens: number, outputTokens: number) =>
  Number.isSafeInteger(inputTokens) && Number.isSafeInteger(outputTokens)
    ? { inputTokens, outputTokens }
    : undefined
