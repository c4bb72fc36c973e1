/** Writes the parts of a turn as the content of a message in OpenAI's chat dialect. */
import type { MediaSource, Part } from "../../conversation/Part.ts"

type Json = Readonly<Record<string, unknown>>

/** One text when that is enough, else a list of parts. Parts that chat cannot express are left out. */
export const writeContent = (parts: ReadonlyArray<Part>): string | ReadonlyArray<Json> => {
  const [first] = parts
  return parts.length === 1 && first?.type === "text" && first.cache === undefined
    ? first.text
    : parts.flatMap(writePart)
}

export const writePart = (part: Part): ReadonlyArray<Json> => {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.text, ...writeCacheMark(part) }]
    case "image":
      return [
        {
          type: "image_url",
          image_url: {
            url: writeMediaUrl(part.source),
            ...(part.detail === undefined ? undefined : { detail: part.detail })
          },
          ...writeCacheMark(part)
        }
      ]
    case "audio":
      return part.source.type === "base64"
        ? [
            {
              type: "input_audio",
              input_audio: {
                data: part.source.data,
                format: part.format ?? part.source.mediaType.replace(/^audio\//, "")
              },
              ...writeCacheMark(part)
            }
          ]
        : [{ type: "audio_url", audio_url: { url: writeMediaUrl(part.source) } }]
    case "video":
      return [
        {
          type: "video_url",
          video_url: { url: writeMediaUrl(part.source) },
          ...writeCacheMark(part)
        }
      ]
    case "file":
      return [
        {
          type: "file",
          file: {
            ...(part.filename === undefined ? undefined : { filename: part.filename }),
            ...(part.source.type === "id"
              ? { file_id: part.source.id }
              : { file_data: writeMediaUrl(part.source) })
          },
          ...writeCacheMark(part)
        }
      ]
    case "refusal":
      return [{ type: "refusal", refusal: part.refusal }]
    case "opaque":
      return part.dialect === "chat" && typeof part.raw === "object" && part.raw !== null
        ? [{ ...part.raw }]
        : []
    case "call":
    case "reasoning":
    case "result":
      return []
  }
}

const writeMediaUrl = (source: MediaSource): string => {
  switch (source.type) {
    case "url":
      return source.url
    case "base64":
      return `data:${source.mediaType};base64,${source.data}`
    case "id":
      return source.id
  }
}

export const writeCacheMark = ({ cache }: { readonly cache?: object }): Json | undefined =>
  cache === undefined ? undefined : { cache_control: cache }
