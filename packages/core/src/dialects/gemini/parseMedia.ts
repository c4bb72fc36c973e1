/** Parses the media of Google's API, whose kind their type says. */
import type {
  AudioPart,
  FilePart,
  ImagePart,
  MediaSource,
  VideoPart
} from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { findText } from "../UntranslatableRequest.ts"
import { toCamelCase } from "./geminiFields.ts"
import { isUploadedFile } from "./mediaTypes.ts"

type MediaPart = AudioPart | FilePart | ImagePart | VideoPart

/** The medium in `inlineData`; undefined when it has no data. */
export const parseInlineData = (blob: unknown): MediaPart | undefined => {
  if (!isObject(blob)) return undefined
  const fields = toCamelCase(blob)
  const data = findText(fields, "data")
  const mediaType = findText(fields, "mimeType") ?? "application/octet-stream"
  return data === undefined
    ? undefined
    : toMedia({ type: "base64", mediaType, data }, mediaType, findText(fields, "displayName"))
}

/** The medium in `fileData`; undefined when it has no URL. */
export const parseFileData = (file: unknown): MediaPart | undefined => {
  if (!isObject(file)) return undefined
  const fields = toCamelCase(file)
  const url = findText(fields, "fileUri")
  const mediaType = findText(fields, "mimeType")
  if (url === undefined) return undefined
  const named = mediaType === undefined ? undefined : { mediaType }
  return isUploadedFile(url)
    ? {
        ...toMedia({ type: "id", id: url, dialect: "gemini" }, mediaType, undefined),
        extra: { dialect: "gemini", fields: { fileData: { fileUri: url, mimeType: mediaType } } }
      }
    : toMedia({ type: "url", url, ...named }, mediaType, findText(fields, "displayName"))
}

const toMedia = (
  source: MediaSource,
  mediaType: string | undefined,
  filename: string | undefined
): MediaPart => {
  const [kind = "", subtype = ""] = mediaType?.toLowerCase().split("/") ?? []
  switch (kind) {
    case "image":
      return { type: "image", source }
    case "audio":
      return { type: "audio", source, format: audioFormats.get(subtype) ?? subtype }
    case "video":
      return { type: "video", source }
    default:
      return { type: "file", source, ...(filename === undefined ? undefined : { filename }) }
  }
}

/** The names of formats in chat. */
const audioFormats: ReadonlyMap<string, string> = new Map([
  ["mpeg", "mp3"],
  ["wave", "wav"],
  ["x-wav", "wav"]
])
