/** Parses the files of prompts by their media types. */
import type * as Prompt from "effect/ai/Prompt"
import * as Base64 from "effect/encoding/Base64"
import type {
  AudioPart,
  FilePart,
  ImagePart,
  MediaSource,
  VideoPart
} from "../conversation/Part.ts"
import { findImageType, toAudioFormat } from "../dialects/mediaType.ts"
import { parseMediaUrl } from "../conversation/parseMediaUrl.ts"

export const parseFile = ({
  data,
  fileName,
  mediaType
}: Pick<Prompt.FilePart, "data" | "fileName" | "mediaType">):
  | AudioPart
  | FilePart
  | ImagePart
  | VideoPart => {
  const [kind = "", subtype = ""] = mediaType.toLowerCase().split("/")
  switch (kind) {
    case "image":
      return { type: "image", source: toSource(data, mediaType) }
    case "audio":
      return {
        type: "audio",
        source: toSource(data, mediaType),
        format: toAudioFormat(subtype)
      }
    case "video":
      return { type: "video", source: toSource(data, mediaType) }
    default:
      return {
        type: "file",
        source: toSource(data, mediaType),
        ...(fileName === undefined ? undefined : { filename: fileName })
      }
  }
}

/** A text is base64, or a URL, which has a colon that base64 has not. */
const toSource = (data: Prompt.FilePart["data"], mediaType: string): MediaSource => {
  const text = data instanceof URL ? data.href : data
  if (typeof text === "string" && text.includes(":")) return parseMediaUrl(text)
  const base64 = typeof text === "string" ? text : Base64.encode(text)
  return { type: "base64", mediaType: toFullType(mediaType, base64), data: base64 }
}

/** A prompt may know the kind alone, as `image` or `image/*`; then the bytes say which one it is. */
const toFullType = (mediaType: string, base64: string): string =>
  /^image(?:\/\*)?$/i.test(mediaType) ? (findImageType(base64) ?? "image/jpeg") : mediaType
