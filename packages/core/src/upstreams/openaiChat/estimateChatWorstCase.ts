/** The most a chat in OpenAI's dialect can use. */
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { ChatCall, ChatMessage } from "../ChatCapability.ts"
import { isObject } from "../../values/json/isObject.ts"

/** The most input tokens of one part of a message, by what it is, and the most output tokens of one answer. */
export interface ChatTokenLimits {
  /** The most input tokens that an image of a message may cost. */
  readonly maxImageTokens: number
  /** The same of sound, where its bytes do not say less. Default 50,000: 26 minutes at 32 tokens a second. */
  readonly maxAudioTokens?: number | undefined
  /** The same of a video. Default 300,000: 16 minutes at 300 tokens a second. */
  readonly maxVideoTokens?: number | undefined
  /**
   * The same of a file that is no text, and of a part of a kind that nobody knows. Default 200,000: 100 pages at
   * 2,000 tokens, their text and their picture.
   */
  readonly maxFileTokens?: number | undefined
  /** The most output tokens of one answer, where neither the caller nor the catalog says how many. */
  readonly maxOutputTokens: number
}

const defaultLimits = {
  maxAudioTokens: 50_000,
  maxVideoTokens: 300_000,
  maxFileTokens: 200_000
}

/**
 * A token is at least one byte of text, so bytes bound tokens. What a model looks at or listens to says little by
 * its bytes, and by its address nothing: a maximum for its kind stands for each part. A file of text is text, which
 * base64 makes longer by a third.
 */
export const estimateChatWorstCase = (call: ChatCall, limits: ChatTokenLimits): TokenUsage => {
  let inputTokens = call.contentBytes + overheadTokens
  let audioTokens = 0
  for (const message of call.messages) {
    // Sound of an earlier answer, named by its id.
    if (isObject(message["audio"])) audioTokens += getMaxAudioTokens(limits)
    for (const part of listParts(message)) {
      const { type } = part
      if (textTypes.has(type)) continue
      const payload = getPayload(part)
      inputTokens -= payload.length
      if (type === "input_audio") audioTokens += Math.min(payload.length, getMaxAudioTokens(limits))
      else if (type === "audio_url") audioTokens += getMaxAudioTokens(limits)
      else if (payload.startsWith("data:text/")) inputTokens += Math.ceil(payload.length * 0.75)
      else inputTokens += getMaxTokens(type, limits)
    }
  }
  const outputTokens = (call.maxOutputTokens ?? limits.maxOutputTokens) * countChoices(call)
  const { audio, modalities } = call.parameters
  const spoken = audio !== undefined || isAmong("audio", modalities)
  const webSearches = countWebSearches(call)
  return {
    inputTokens: inputTokens + audioTokens,
    outputTokens,
    ...(audioTokens === 0 ? undefined : { audioTokens }),
    ...(spoken ? { audioOutputTokens: outputTokens } : undefined),
    ...(isAmong("image", modalities) ? { imageOutputTokens: outputTokens } : undefined),
    ...(webSearches === 0 ? undefined : { webSearches })
  }
}

/** What the chat format itself puts around messages and tools. */
const overheadTokens = 1_000

const textTypes: ReadonlySet<unknown> = new Set(["text", "refusal", "input_text", "output_text"])

const listParts = ({ content }: ChatMessage): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Array.isArray(content) ? content.filter(isObject) : []

const getMaxAudioTokens = ({
  maxAudioTokens = defaultLimits.maxAudioTokens
}: ChatTokenLimits): number => maxAudioTokens

/** A part of a kind that nobody knows may be a file. */
const getMaxTokens = (
  type: unknown,
  {
    maxFileTokens = defaultLimits.maxFileTokens,
    maxImageTokens,
    maxVideoTokens = defaultLimits.maxVideoTokens
  }: ChatTokenLimits
): number => {
  if (type === "image_url" || type === "input_image") return maxImageTokens
  return type === "video_url" || type === "input_video" ? maxVideoTokens : maxFileTokens
}

/** Where the address or the bytes of a part stand, by its kind. */
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

/** The text that is no text to the model; its own JSON is no shorter. */
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

/** A value that no provider should take is counted as what it might be taken for. */
const countChoices = ({ parameters: { best_of, n } }: ChatCall): number =>
  Math.max(...[n, best_of, 1].map((count) => Math.min(Math.ceil(Number(count)), 1e6) || 1))

/** How often the provider may search on its own for one answer, where the request does not say. */
const defaultSearchesPerTool = 10

/** A tool that is no function is run by the provider. */
const countWebSearches = ({ parameters: { tools, web_search_options } }: ChatCall): number => {
  const run = (Array.isArray(tools) ? tools : [])
    .filter(isObject)
    .filter(({ type }) => type !== undefined && type !== "function" && type !== "custom")
    .map(({ max_uses }) => (typeof max_uses === "number" ? max_uses : defaultSearchesPerTool))
  return run.reduce((sum, uses) => sum + uses, web_search_options === undefined ? 0 : 1)
}

const isAmong = (name: string, list: unknown): boolean =>
  Array.isArray(list) ? list.includes(name) : list === name
