/** The most a chat in OpenAI's dialect can use. */
import type { TokenUsage } from "../values/TokenUsage.ts"
import type { ChatCall, ChatMessage } from "./ChatCapability.ts"
import { isObject } from "./isObject.ts"

/** The most input tokens of one part of a message, by what it is, and the most output tokens of one answer. */
export interface ChatMaxima {
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

const defaultMaxima = {
  maxAudioTokens: 50_000,
  maxVideoTokens: 300_000,
  maxFileTokens: 200_000
}

/**
 * A token is at least one byte of text, so bytes bound tokens. What a model looks at or listens to says little by
 * its bytes, and by its address nothing: a maximum for its kind stands for each part. A file of text is text, which
 * base64 makes longer by a third.
 */
export const chatWorstCase = (call: ChatCall, maxima: ChatMaxima): TokenUsage => {
  let inputTokens = call.contentBytes + frameTokens
  let audioTokens = 0
  for (const message of call.messages) {
    // Sound of an earlier answer, named by its id.
    if (isObject(message["audio"])) audioTokens += maxAudioOf(maxima)
    for (const part of partsOf(message)) {
      const { type } = part
      if (textual.has(type)) continue
      const payload = payloadOf(part)
      inputTokens -= payload.length
      if (type === "input_audio") audioTokens += Math.min(payload.length, maxAudioOf(maxima))
      else if (type === "audio_url") audioTokens += maxAudioOf(maxima)
      else if (payload.startsWith("data:text/")) inputTokens += Math.ceil(payload.length * 0.75)
      else inputTokens += most(type, maxima)
    }
  }
  const outputTokens = (call.maxOutputTokens ?? maxima.maxOutputTokens) * answersOf(call)
  const { audio, modalities } = call.parameters
  const spoken = audio !== undefined || isAmong("audio", modalities)
  const webSearches = webSearchesOf(call)
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
const frameTokens = 1_000

const textual: ReadonlySet<unknown> = new Set(["text", "refusal", "input_text", "output_text"])

const partsOf = ({ content }: ChatMessage): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  Array.isArray(content) ? content.filter(isObject) : []

const maxAudioOf = ({ maxAudioTokens = defaultMaxima.maxAudioTokens }: ChatMaxima): number =>
  maxAudioTokens

/** A part of a kind that nobody knows may be a file. */
const most = (
  type: unknown,
  {
    maxFileTokens = defaultMaxima.maxFileTokens,
    maxImageTokens,
    maxVideoTokens = defaultMaxima.maxVideoTokens
  }: ChatMaxima
): number => {
  if (type === "image_url" || type === "input_image") return maxImageTokens
  return type === "video_url" || type === "input_video" ? maxVideoTokens : maxFileTokens
}

/** Where the address or the bytes of a part stand, by its kind. */
const payloads: Readonly<Record<string, ReadonlyArray<string>>> = {
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
const payloadOf = (part: Readonly<Record<string, unknown>>): string => {
  const { type } = part
  if (typeof type !== "string" || !Object.hasOwn(payloads, type)) return ""
  const value = part[type]
  if (typeof value === "string") return value
  const holder = isObject(value) ? value : part
  for (const name of payloads[type] ?? []) {
    const payload = holder[name]
    if (typeof payload === "string") return payload
  }
  return ""
}

/** A value that no provider should take is counted as what it might be taken for. */
const answersOf = ({ parameters: { best_of, n } }: ChatCall): number =>
  Math.max(...[n, best_of, 1].map((count) => Math.min(Math.ceil(Number(count)), 1e6) || 1))

/** How often the provider may search on its own for one answer, where the request does not say. */
const searchesOfOneTool = 10

/** A tool that is no function is run by the provider. */
const webSearchesOf = ({ parameters: { tools, web_search_options } }: ChatCall): number => {
  const run = (Array.isArray(tools) ? tools : [])
    .filter(isObject)
    .filter(({ type }) => type !== undefined && type !== "function" && type !== "custom")
    .map(({ max_uses }) => (typeof max_uses === "number" ? max_uses : searchesOfOneTool))
  return run.reduce((sum, uses) => sum + uses, web_search_options === undefined ? 0 : 1)
}

const isAmong = (name: string, list: unknown): boolean =>
  Array.isArray(list) ? list.includes(name) : list === name
