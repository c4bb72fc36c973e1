/** Parses the content of a message in OpenAI's chat dialect. */
import type {
  CacheMark,
  ImagePart,
  MediaSource,
  OpaquePart,
  Part,
  TextPart
} from "../../conversation/Part.ts"
import { parseMediaUrl } from "../../conversation/parseMediaUrl.ts"
import { isObject } from "../../values/json/guards.ts"
import { parseFileData } from "../mediaType.ts"

type Json = Readonly<Record<string, unknown>>

/** A text, a list of parts, or nothing. Parts of unknown types stay opaque. */
export const parseContent = (content: unknown): ReadonlyArray<Part> => {
  if (typeof content === "string") return [{ type: "text", text: content }]
  return Array.isArray(content) ? content.map(parsePart) : []
}

const parsePart = (part: unknown): Part => {
  if (typeof part === "string") return { type: "text", text: part }
  if (!isObject(part)) return toOpaque(part)
  const parsed = parseKnownPart(part)
  if (parsed === undefined) return toOpaque(part)
  const cache = parseCacheMark(part["cache_control"])
  return cache === undefined ? parsed : { ...parsed, cache }
}

type MarkablePart = Exclude<Part, { readonly type: "opaque" | "reasoning" | "refusal" }>

const parseKnownPart = (part: Json): MarkablePart | undefined => {
  switch (part["type"]) {
    case "text":
    case "input_text":
    case "output_text":
      return typeof part["text"] === "string" ? toText(part["text"]) : undefined
    case "image_url":
      return parseImage(part["image_url"])
    case "input_audio":
      return parseAudio(part["input_audio"])
    case "video_url":
      return parseVideo(part["video_url"])
    case "file":
      return parseFile(part["file"])
    default:
      return undefined
  }
}

const toText = (text: string): TextPart => ({ type: "text", text })

const toOpaque = (raw: unknown): OpaquePart | { type: "refusal"; refusal: string } =>
  isObject(raw) && raw["type"] === "refusal" && typeof raw["refusal"] === "string"
    ? { type: "refusal", refusal: raw["refusal"] }
    : { type: "opaque", dialect: "chat", raw }

const parseImage = (image: unknown): MarkablePart | undefined => {
  const url = typeof image === "string" ? image : isObject(image) ? image["url"] : undefined
  if (typeof url !== "string") return undefined
  const detail = isObject(image) ? image["detail"] : undefined
  return {
    type: "image",
    source: parseMediaUrl(url),
    ...(typeof detail === "string" ? { detail } : undefined)
  }
}

const parseAudio = (audio: unknown): MarkablePart | undefined => {
  if (!isObject(audio) || typeof audio["data"] !== "string") return undefined
  const { data, format } = audio
  return {
    type: "audio",
    source: {
      type: "base64",
      mediaType: `audio/${typeof format === "string" ? format : "wav"}`,
      data
    },
    ...(typeof format === "string" ? { format } : undefined)
  }
}

const parseVideo = (video: unknown): MarkablePart | undefined => {
  const url = isObject(video) ? video["url"] : video
  return typeof url === "string" ? { type: "video", source: parseMediaUrl(url) } : undefined
}

const parseFile = (file: unknown): MarkablePart | undefined => {
  if (!isObject(file)) return undefined
  const { file_data, file_id, file_url, filename } = file
  const name = typeof filename === "string" ? filename : undefined
  const source = findFileSource(file_data ?? file_url, file_id, name)
  return source === undefined
    ? undefined
    : { type: "file", source, ...(name === undefined ? undefined : { filename: name }) }
}

const findFileSource = (
  data: unknown,
  id: unknown,
  filename: string | undefined
): MediaSource | undefined => {
  if (typeof data === "string") return parseFileData(data, filename)
  return typeof id === "string" ? { type: "id", id, dialect: "chat" } : undefined
}

export const parseCacheMark = (mark: unknown): CacheMark | undefined => {
  if (!isObject(mark) || mark["type"] !== "ephemeral") return undefined
  const { ttl } = mark
  return { type: "ephemeral", ...(typeof ttl === "string" ? { ttl } : undefined) }
}

/** The pictures in the `images` of a message or a delta. */
export const parseImages = (images: unknown): ReadonlyArray<ImagePart> =>
  (Array.isArray(images) ? images : []).flatMap((image: unknown) => {
    const { image_url: linked } = isObject(image) ? image : {}
    const url = isObject(linked) ? linked["url"] : undefined
    return typeof url === "string" ? [{ type: "image", source: parseMediaUrl(url) }] : []
  })

/**
 * Google's alone: the other APIs leave blocks of searches, which say nothing to callers of chat. Drafts of pictures among the
 * thoughts are no answer.
 */
export const findProviderPart = ({
  dialect,
  raw
}: Pick<OpaquePart, "dialect" | "raw">): Readonly<Record<string, unknown>> | undefined =>
  dialect === "gemini" && isObject(raw) && raw["thought"] !== true ? raw : undefined
