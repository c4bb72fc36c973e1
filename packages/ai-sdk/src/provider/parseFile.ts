/** Parses the files of prompts. */
import {
  type LanguageModelV4FilePart,
  type SharedV4FileData,
  UnsupportedFunctionalityError
} from "@ai-sdk/provider"
import {
  findImageType,
  type MediaSource,
  type PartOptions,
  toMediaPart
} from "@signalbox/core/dialects"
import * as Base64 from "effect/encoding/Base64"
import { optionsKey } from "./readOptions.ts"

/** Throws an `UnsupportedFunctionalityError` for what no endpoint could read. */
export const parseFile = (
  { data, filename, mediaType }: Pick<LanguageModelV4FilePart, "data" | "filename" | "mediaType">,
  options: Pick<PartOptions, "cache" | "detail"> = {}
): ReturnType<typeof toMediaPart> =>
  toMediaPart(parseSource(data, mediaType), { filename, mediaType }, options)

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
