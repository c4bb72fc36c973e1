/** Counts the tokens of prompt and answer, whether a provider counts their parts within them or beside them. */
import { type TokenUsage, parseCount } from "../../../values/usage/TokenUsage.ts"

type Json = Readonly<Record<string, unknown>>

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
