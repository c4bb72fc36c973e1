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
import { parseMediaUrl } from "../dialects/chat/parseContent.ts"

export const parseFile = ({
  data,
  fileName,
  mediaType
}: Pick<Prompt.FilePart, "data" | "fileName" | "mediaType">):
  | AudioPart
  | FilePart
  | ImagePart
  | VideoPart => {
  const [kind = "", subtype = ""] = mediaType.split("/")
  switch (kind) {
    case "image":
      return { type: "image", source: toSource(data, subtype === "*" ? "image/jpeg" : mediaType) }
    case "audio":
      return {
        type: "audio",
        source: toSource(data, mediaType),
        format: audioFormats.get(subtype) ?? subtype
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
  if (data instanceof Uint8Array) return { type: "base64", mediaType, data: Base64.encode(data) }
  const text = data instanceof URL ? data.href : data
  return text.includes(":") ? parseMediaUrl(text) : { type: "base64", mediaType, data: text }
}

/** By subtypes that are not the format themselves. */
const audioFormats: ReadonlyMap<string, string> = new Map([
  ["l16", "pcm16"],
  ["mp4", "m4a"],
  ["mpeg", "mp3"],
  ["wave", "wav"],
  ["x-aiff", "aiff"],
  ["x-flac", "flac"],
  ["x-m4a", "m4a"],
  ["x-wav", "wav"]
])
