/** Parses the files of prompts by their media types. */
import {
  type LanguageModelV4FilePart,
  type SharedV4FileData,
  UnsupportedFunctionalityError
} from "@ai-sdk/provider"
import {
  type AudioPart,
  type FilePart,
  findImageType,
  type ImagePart,
  type MediaSource,
  toAudioFormat,
  type VideoPart
} from "@signalbox/core/dialects"
import * as Base64 from "effect/encoding/Base64"
import type { PartOptions } from "./partMetadata.ts"
import { optionsKey } from "./readOptions.ts"

type Media = AudioPart | FilePart | ImagePart | VideoPart

/** Throws an `UnsupportedFunctionalityError` for what no endpoint could read. */
export const parsePromptFile = (
  { data, filename, mediaType }: Pick<LanguageModelV4FilePart, "data" | "filename" | "mediaType">,
  { cache, detail }: Pick<PartOptions, "cache" | "detail"> = {}
): Media => {
  const [kind = "", subtype = ""] = mediaType.toLowerCase().split("/")
  const source = parseSource(data, mediaType)
  const marked = cache === undefined ? undefined : { cache }
  switch (kind) {
    case "image":
      return {
        type: "image",
        source,
        ...(detail === undefined ? undefined : { detail }),
        ...marked
      }
    case "audio":
      return {
        type: "audio",
        source,
        ...(source.type === "base64" && subtype !== ""
          ? { format: toAudioFormat(subtype) }
          : undefined),
        ...marked
      }
    case "video":
      return { type: "video", source, ...marked }
    default:
      return {
        type: "file",
        source,
        ...(filename === undefined ? undefined : { filename }),
        ...marked
      }
  }
}

const parseSource = (data: SharedV4FileData, mediaType: string): MediaSource => {
  switch (data.type) {
    case "data": {
      const base64 = typeof data.data === "string" ? data.data : Base64.encode(data.data)
      return { type: "base64", mediaType: toFullMediaType(mediaType, base64), data: base64 }
    }
    case "text":
      return {
        type: "base64",
        mediaType: isFull(mediaType) ? mediaType : "text/plain",
        data: Base64.encode(data.text)
      }
    case "url":
      return {
        type: "url",
        url: data.originalUrl ?? data.url.href,
        ...(isFull(mediaType) ? { mediaType } : undefined)
      }
    case "reference": {
      const id = data.reference[optionsKey]
      if (id !== undefined) return { type: "id", id, dialect: "chat" }
      throw refuseFile(
        `a file reference without an id for "${optionsKey}"`,
        "Send the data or a URL of the file."
      )
    }
  }
}

const isFull = (mediaType: string): boolean => /^[^/]+\/[^/*]+$/.test(mediaType)

/** The AI SDK may know the kind alone, such as `image` or `image/*`. */
const toFullMediaType = (mediaType: string, base64: string): string => {
  if (isFull(mediaType)) return mediaType
  const kind = mediaType.split("/", 1)[0]?.toLowerCase()
  const found = kind === "image" ? findImageType(base64) : undefined
  if (found !== undefined) return found
  throw refuseFile(
    `a file of the media type "${mediaType}"`,
    "Send its full media type, such as image/png."
  )
}

const refuseFile = (functionality: string, advice: string): UnsupportedFunctionalityError =>
  new UnsupportedFunctionalityError({
    functionality,
    message: `Signalbox cannot send ${functionality}. ${advice}`
  })
