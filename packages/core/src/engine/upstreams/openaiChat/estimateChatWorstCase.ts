/** The maximum usage of a chat in OpenAI's dialect. */
import type { TokenUsage } from "../../../values/usage/TokenUsage.ts"
import type { ChatCall } from "../ChatCapability.ts"
import type { PromptMedium } from "../ChatFacts.ts"

/** The maximum input tokens of one part of a message, by its type, and the maximum output tokens of one answer. */
export interface ChatTokenLimits {
  /** Input tokens of an image. */
  readonly maxImageTokens: number
  /** Input tokens of audio, unless it has fewer bytes. Default 50,000: 26 minutes at 32 tokens a second. */
  readonly maxAudioTokens?: number | undefined
  /** Input tokens of a video. Default 300,000: 16 minutes at 300 tokens a second. */
  readonly maxVideoTokens?: number | undefined
  /**
   * Input tokens of a file that is not text, and of a part of unknown type. Default 200,000: 100 pages at 2,000 tokens
   * for text and image.
   */
  readonly maxFileTokens?: number | undefined
  /**
   * Input tokens that the provider adds to every prompt, such as a system prompt of its own. Default 80: the template of
   * gpt-oss adds about 70 (https://cookbook.openai.com/articles/openai-harmony).
   */
  readonly overheadTokens?: number | undefined
  /** Output tokens of one answer, unless the caller or the catalog sets a limit. */
  readonly maxOutputTokens: number
}

/**
 * A token has at least one byte of text, so bytes bound tokens. The bytes of media say little about their tokens, and
 * URLs nothing, so each medium counts as the maximum of its type. Files of text count as text, which base64 makes
 * longer by a third.
 */
export const estimateChatWorstCase = (call: ChatCall, limits: ChatTokenLimits): TokenUsage => {
  const { overheadTokens = defaultOverheadTokens } = limits
  const { answers, isPictured, isSpoken, media } = call.facts
  let inputTokens = call.contentBytes + overheadTokens + countFraming(call)
  let audioTokens = 0
  for (const medium of media) {
    const { isElsewhere, isText, length, type } = medium
    inputTokens -= length
    if (isText === true) inputTokens += Math.ceil(length * 0.75)
    else if (type === "audio") {
      const { maxAudioTokens = 50_000 } = limits
      audioTokens += isElsewhere === true ? maxAudioTokens : Math.min(length, maxAudioTokens)
    } else inputTokens += getMaxTokens(type, limits)
  }
  const outputTokens = (call.maxOutputTokens ?? limits.maxOutputTokens) * answers
  const usage: { -readonly [K in keyof TokenUsage]: TokenUsage[K] } = {
    inputTokens: inputTokens + audioTokens,
    outputTokens
  }
  if (audioTokens !== 0) usage.audioTokens = audioTokens
  if (isSpoken === true) usage.audioOutputTokens = outputTokens
  if (isPictured === true) usage.imageOutputTokens = outputTokens
  return usage
}

const defaultOverheadTokens = 80

/**
 * OpenAI adds 3 tokens for each message, 1 for its name, and 3 for the answer
 * (https://cookbook.openai.com/examples/how_to_count_tokens_with_tiktoken), in place of the keys in its JSON. The JSON
 * of a function has more bytes than the text the model sees. Anthropic's models get a system prompt with the first
 * tool, of up to 804 tokens (https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview#pricing), and up to
 * 735 with each of Anthropic's own tools that the caller runs, whose schema is not in the request
 * (https://platform.claude.com/docs/en/agents-and-tools/tool-use/computer-use-tool#pricing).
 */
const countFraming = ({ facts: { messages, providerTools, tools }, native }: ChatCall): number => {
  // Only a chat is sure to have the keys `role` and `content`.
  const perMessage = native.dialect === "chat" ? 4 - keyBytes : 4
  return messages * perMessage + 3 + (tools > 0 ? 804 : 0) + providerTools * 735
}

/** The JSON of every message around its role and its content. */
const keyBytes = '{"role":,"content":}'.length

const getMaxTokens = (
  type: PromptMedium["type"],
  { maxFileTokens = 200_000, maxImageTokens, maxVideoTokens = 300_000 }: ChatTokenLimits
): number => {
  if (type === "image") return maxImageTokens
  return type === "video" ? maxVideoTokens : maxFileTokens
}
