/** Finds what bounds the tokens of a chat in OpenAI's dialect. */
import { isObject, toList } from "../../../values/json/guards.ts"
import type { ChatFacts, PromptMedium } from "../ChatFacts.ts"
import type { ChatBody, ChatBodyMessage } from "./ChatBody.ts"

type Json = Readonly<Record<string, unknown>>

export const findChatFacts = (body: ChatBody): ChatFacts => ({
  messages: body.messages.length,
  media: listChatMedia(body.messages),
  ...countTools(body),
  ...findAnswerFacts(body)
})

/** Media in the content of messages, and sound of earlier answers. */
export const listChatMedia = (
  messages: ReadonlyArray<ChatBodyMessage>
): ReadonlyArray<PromptMedium> => {
  let media: Array<PromptMedium> | undefined
  for (const message of messages) {
    if (isObject(message["audio"])) (media ??= []).push(spoken)
    for (const part of toList(message["content"])) {
      if (isObject(part) && !textTypes.has(part["type"])) (media ??= []).push(toMedium(part))
    }
  }
  return media ?? none
}

const none: ReadonlyArray<PromptMedium> = []

/** The sound of an earlier answer, referred to by its id. */
const spoken: PromptMedium = { type: "audio", length: 0, isElsewhere: true }

const textTypes: ReadonlySet<unknown> = new Set(["text", "refusal", "input_text", "output_text"])

/** A part of unknown type may be a file. */
const toMedium = (part: Json): PromptMedium => {
  const payload = getPayload(part)
  const { length } = payload
  const { type } = part
  if (type === "input_audio") return { type: "audio", length }
  if (type === "audio_url") return { type: "audio", length, isElsewhere: true }
  if (payload.startsWith("data:text/")) return { type: "file", length, isText: true }
  if (type === "image_url" || type === "input_image") return { type: "image", length }
  return { type: type === "video_url" || type === "input_video" ? "video" : "file", length }
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
const getPayload = (part: Json): string => {
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

/** Counts the tools of a request in any dialect; the dialects have different types of tools. */
export const countTools = ({
  functions,
  tools
}: Json): Pick<ChatFacts, "providerTools" | "tools"> => {
  if (functions === undefined && tools === undefined) return noTools
  const listed: ReadonlyArray<unknown> = Array.isArray(tools) ? tools : []
  return {
    tools: listed.length + (Array.isArray(functions) ? functions.length : 0),
    providerTools: listed.filter(isTyped).length
  }
}

const noTools: Pick<ChatFacts, "providerTools" | "tools"> = { tools: 0, providerTools: 0 }

const isTyped = (tool: unknown): boolean =>
  isObject(tool) && typeof tool["type"] === "string" && !callersTypes.has(tool["type"])

const callersTypes: ReadonlySet<string> = new Set(["custom", "function", "namespace"])

/** Takes parameters by their names in this dialect. */
export const findAnswerFacts = ({
  audio,
  best_of,
  modalities,
  n
}: Json): Pick<ChatFacts, "answers" | "isPictured" | "isSpoken"> => ({
  answers: Math.max(toChoiceCount(n), toChoiceCount(best_of)),
  ...(audio !== undefined || isAmong("audio", modalities) ? { isSpoken: true } : undefined),
  ...(isAmong("image", modalities) ? { isPictured: true } : undefined)
})

/** Invalid values count as the number that a provider might read from them. */
const toChoiceCount = (count: unknown): number =>
  Math.max(1, Math.min(Math.ceil(Number(count)), 1e6) || 1)

const isAmong = (name: string, list: unknown): boolean =>
  Array.isArray(list) ? list.includes(name) : list === name
