/** Writes what messages and the outputs of calls hold. */
import type { MediaSource, Part } from "../../conversation/Part.ts"
import { getExtraFields, type Json } from "./fields.ts"
import type { Path, RequestProblems } from "../UntranslatableRequest.ts"

/** One text when that is enough, else a list of parts. */
export const writeContent = (
  parts: ReadonlyArray<Part>,
  path: Path,
  problems: RequestProblems
): string | ReadonlyArray<Json> => {
  const [first] = parts
  if (first === undefined) return ""
  return parts.length === 1 && first.type === "text" && first.extra?.dialect !== "responses"
    ? first.text
    : parts.flatMap((part) => writePart(part, path, problems))
}

const writePart = (part: Part, path: Path, problems: RequestProblems): ReadonlyArray<Json> => {
  const fail = (problem: string): ReadonlyArray<Json> => {
    problems.add(path, problem)
    return []
  }
  switch (part.type) {
    case "text":
      return [{ type: "input_text", text: part.text, ...getExtraFields(part) }]
    case "refusal":
      return [{ type: "input_text", text: part.refusal }]
    case "image": {
      const source = writeSource(part.source, "image_url", "image_url")
      if (source === undefined) return fail("refers to an image at another provider")
      // The API requires the field.
      return [
        { type: "input_image", detail: part.detail ?? "auto", ...source, ...getExtraFields(part) }
      ]
    }
    case "file": {
      const source = writeSource(part.source, "file_url", "file_data")
      if (source === undefined) return fail("refers to a file at another provider")
      return [
        {
          type: "input_file",
          ...(part.filename === undefined ? undefined : { filename: part.filename }),
          ...source,
          ...getExtraFields(part)
        }
      ]
    }
    case "audio":
      if (part.source.type !== "base64") return fail("has audio that is not base64")
      return [
        {
          type: "input_audio",
          input_audio: {
            data: part.source.data,
            format: part.format ?? part.source.mediaType.replace(/^audio\//, "")
          },
          ...getExtraFields(part)
        }
      ]
    case "video": {
      const source = writeSource(part.source, "video_url", "video_url")
      if (source === undefined) return fail("refers to a video at another provider")
      return [{ type: "input_video", ...source, ...getExtraFields(part) }]
    }
    case "opaque":
      return part.dialect === "responses" && typeof part.raw === "object" && part.raw !== null
        ? [{ ...part.raw }]
        : []
    case "call":
    case "reasoning":
    case "result":
      return []
  }
}

/** Undefined for the id of a file at another provider. */
const writeSource = (source: MediaSource, url: string, data: string): Json | undefined => {
  switch (source.type) {
    case "url":
      return { [url]: source.url }
    case "base64":
      return { [data]: `data:${source.mediaType};base64,${source.data}` }
    case "id":
      return source.dialect === "responses" ? { file_id: source.id } : undefined
  }
}
