/** Parses what messages and the outputs of calls hold. */
import type {
  AudioPart,
  FilePart,
  ImagePart,
  MediaSource,
  OpaquePart,
  TextPart,
  VideoPart
} from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { parseMediaUrl } from "../../conversation/parseMediaUrl.ts"
import { parseFileData } from "../mediaType.ts"
import { omitFields, type Path, type RequestProblems } from "../UntranslatableRequest.ts"
import { findNonEmptyText, findText, type Json, toExtra } from "./fields.ts"

export type ContentPart = AudioPart | FilePart | ImagePart | OpaquePart | TextPart | VideoPart

/** A string is one text, the empty one none. Parts of unknown types stay opaque. */
export const parseContent = (
  content: unknown,
  path: Path,
  problems: RequestProblems
): ReadonlyArray<ContentPart> => {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }]
  if (!Array.isArray(content)) {
    problems.add(path, "must be a string or a list of parts")
    return []
  }
  return content.flatMap((part: unknown, index) => {
    const parsed = isObject(part) ? parsePart(part) : undefined
    if (parsed === undefined) problems.add([...path, index], "is no valid part of its type")
    return parsed ?? []
  })
}

/** Undefined when a field that its type requires is missing. */
const parsePart = (part: Json): ContentPart | undefined => {
  switch (part["type"]) {
    case "input_text":
    case "output_text":
    case "text":
      return parseText(part)
    case "input_image":
      return parseImage(part)
    case "input_file":
      return parseFile(part)
    case "input_audio":
      return parseAudio(part)
    case "input_video":
      return parseVideo(part)
    default:
      return typeof part["type"] === "string"
        ? { type: "opaque", dialect: "responses", raw: part }
        : undefined
  }
}

const parseText = (part: Json): TextPart | undefined => {
  const text = findText(part["text"])
  return text === undefined
    ? undefined
    : { type: "text", text, ...toExtra(omitFields(part, textNames)) }
}

const textNames: ReadonlySet<string> = new Set(["type", "text", "annotations", "logprobs"])

const parseImage = (part: Json): ImagePart | undefined => {
  const source = findSource(part["image_url"], part["file_id"])
  const detail = findText(part["detail"])
  return source === undefined
    ? undefined
    : {
        type: "image",
        source,
        ...(detail === undefined || detail === "auto" ? undefined : { detail }),
        ...toExtra(omitFields(part, imageNames))
      }
}

const imageNames: ReadonlySet<string> = new Set(["type", "image_url", "file_id", "detail"])

const parseFile = (part: Json): FilePart | undefined => {
  const data = findNonEmptyText(part["file_data"])
  const filename = findText(part["filename"])
  const source =
    data === undefined
      ? findSource(part["file_url"], part["file_id"])
      : parseFileData(data, filename)
  return source === undefined
    ? undefined
    : {
        type: "file",
        source,
        ...(filename === undefined ? undefined : { filename }),
        ...toExtra(omitFields(part, fileNames))
      }
}

const fileNames: ReadonlySet<string> = new Set([
  "type",
  "filename",
  "file_data",
  "file_url",
  "file_id"
])

const parseAudio = (part: Json): AudioPart | undefined => {
  const audio = part["input_audio"]
  const data = isObject(audio) ? findNonEmptyText(audio["data"]) : undefined
  if (!isObject(audio) || data === undefined) return undefined
  const format = findNonEmptyText(audio["format"])
  return {
    type: "audio",
    source: { type: "base64", mediaType: `audio/${format ?? "wav"}`, data },
    ...(format === undefined ? undefined : { format }),
    ...toExtra(omitFields(part, audioNames))
  }
}

const audioNames: ReadonlySet<string> = new Set(["type", "input_audio"])

const parseVideo = (part: Json): VideoPart | undefined => {
  const source = findSource(part["video_url"], undefined)
  return source === undefined
    ? undefined
    : { type: "video", source, ...toExtra(omitFields(part, videoNames)) }
}

const videoNames: ReadonlySet<string> = new Set(["type", "video_url"])

const findSource = (url: unknown, id: unknown): MediaSource | undefined => {
  if (typeof url === "string" && url !== "") return parseMediaUrl(url)
  return typeof id === "string" && id !== "" ? { type: "id", id, dialect: "responses" } : undefined
}
