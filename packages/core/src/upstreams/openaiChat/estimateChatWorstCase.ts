/** The maximum usage of a chat in OpenAI's dialect. */
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { ChatCall } from "../ChatCapability.ts"
import { isObject } from "../../values/json/isObject.ts"

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
  /** Output tokens of one answer, unless the caller or the catalog sets a limit. */
  readonly maxOutputTokens: number
}

/**
 * A token has at least one byte of text, so bytes bound tokens. The bytes of media say little about their tokens, and
 * URLs nothing, so each medium counts as the maximum of its type. Files of text count as text, which base64 makes
 * longer by a third.
 */
export const estimateChatWorstCase = (call: ChatCall, limits: ChatTokenLimits): TokenUsage => {
  let inputTokens = call.contentBytes + overheadTokens
  let audioTokens = 0
  const { maxAudioTokens = 50_000 } = limits
  for (const message of call.messages) {
    // The audio of an earlier answer, referred to by its id.
    if (isObject(message["audio"])) audioTokens += maxAudioTokens
    const { content } = message
    if (!Array.isArray(content)) continue
    for (const part of content as ReadonlyArray<unknown>) {
      if (!isObject(part)) continue
      const { type } = part
      if (textTypes.has(type)) continue
      const payload = getPayload(part)
      inputTokens -= payload.length
      if (type === "input_audio") audioTokens += Math.min(payload.length, maxAudioTokens)
      else if (type === "audio_url") audioTokens += maxAudioTokens
      else if (payload.startsWith("data:text/")) inputTokens += Math.ceil(payload.length * 0.75)
      else inputTokens += getMaxTokens(type, limits)
    }
  }
  const outputTokens = (call.maxOutputTokens ?? limits.maxOutputTokens) * countChoices(call)
  const { audio, modalities } = call.parameters
  const spoken = audio !== undefined || isAmong("audio", modalities)
  const webSearches = countWebSearches(call)
  const usage: { -readonly [K in keyof TokenUsage]: TokenUsage[K] } = {
    inputTokens: inputTokens + audioTokens,
    outputTokens
  }
  if (audioTokens !== 0) usage.audioTokens = audioTokens
  if (spoken) usage.audioOutputTokens = outputTokens
  if (isAmong("image", modalities)) usage.imageOutputTokens = outputTokens
  if (webSearches !== 0) usage.webSearches = webSearches
  return usage
}

/** Tokens that the chat format adds around messages and tools. */
const overheadTokens = 1_000

const textTypes: ReadonlySet<unknown> = new Set(["text", "refusal", "input_text", "output_text"])

/** A part of unknown type may be a file. */
const getMaxTokens = (
  type: unknown,
  { maxFileTokens = 200_000, maxImageTokens, maxVideoTokens = 300_000 }: ChatTokenLimits
): number => {
  if (type === "image_url" || type === "input_image") return maxImageTokens
  return type === "video_url" || type === "input_video" ? maxVideoTokens : maxFileTokens
}

/** The fields with the URL or the bytes of a part, by its type. */
const payloadFields: Readonly<Record<string, ReadonlyArray<string>>> = {
  image_url: ["url"],
  input_image: ["image_url", "file_data"],
  input_audio: ["data"],
  audio_url: ["url"],
  video_url: ["url"],
  input_video: ["video_url", "file_data"],
  file: ["file_data", "file_url"],
  input_file: ["file_data", "file_url"]
}

/** The URL or the bytes of a part, which are not text for the model. */
const getPayload = (part: Readonly<Record<string, unknown>>): string => {
  const { type } = part
  if (typeof type !== "string" || !Object.hasOwn(payloadFields, type)) return ""
  const value = part[type]
  if (typeof value === "string") return value
  const holder = isObject(value) ? value : part
  for (const name of payloadFields[type] ?? []) {
    const payload = holder[name]
    if (typeof payload === "string") return payload
  }
  return ""
}

/** Invalid values count as the number that a provider might read from them. */
const countChoices = ({ parameters: { best_of, n } }: ChatCall): number =>
  Math.max(toChoiceCount(n), toChoiceCount(best_of))

const toChoiceCount = (count: unknown): number =>
  Math.max(1, Math.min(Math.ceil(Number(count)), 1e6) || 1)

/** Web searches for one answer, unless the request limits them. */
const defaultSearchesPerTool = 10

/** Tools other than functions are run by the provider. */
const countWebSearches = ({ parameters: { tools, web_search_options } }: ChatCall): number => {
  let searches = web_search_options === undefined ? 0 : 1
  if (!Array.isArray(tools)) return searches
  for (const tool of tools as ReadonlyArray<unknown>) {
    if (!isObject(tool)) continue
    const { max_uses, type } = tool
    if (type === undefined || type === "function" || type === "custom") continue
    searches += typeof max_uses === "number" ? max_uses : defaultSearchesPerTool
  }
  return searches
}

const isAmong = (name: string, list: unknown): boolean =>
  Array.isArray(list) ? list.includes(name) : list === name
