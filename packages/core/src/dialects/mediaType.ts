/** The formats of audio and images by their media types or their first bytes, and where the data of a file is. */
import type { MediaSource } from "../conversation/Part.ts"
import { parseMediaUrl } from "../conversation/parseMediaUrl.ts"

/** The format of audio by the subtype of its media type, such as `mp3` of `mpeg`. */
export const toAudioFormat = (subtype: string): string => audioFormats.get(subtype) ?? subtype

/** Formats by subtypes with another name. */
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

/** The media type of a file in base64 without one, by its first bytes or its name. */
const findFileType = (base64: string, filename: string | undefined): string => {
  if (base64.startsWith("JVBERi")) return "application/pdf"
  const extension = /\.([a-z\d]+)$/i.exec(filename ?? "")?.[1]?.toLowerCase()
  return findImageType(base64) ?? fileTypes.get(extension ?? "") ?? "application/octet-stream"
}

const fileTypes: ReadonlyMap<string, string> = new Map([
  ["css", "text/css"],
  ["csv", "text/csv"],
  ["html", "text/html"],
  ["json", "application/json"],
  ["md", "text/markdown"],
  ["pdf", "application/pdf"],
  ["txt", "text/plain"],
  ["xml", "text/xml"]
])

/** The media type of an image by its first bytes; undefined for another one. */
export const findImageType = (base64: string): string | undefined =>
  imageStarts.find(([start]) => base64.startsWith(start))?.[1]

/** How images begin, in base64. */
const imageStarts: ReadonlyArray<readonly [string, string]> = [
  ["iVBORw", "image/png"],
  ["/9j/", "image/jpeg"],
  ["R0lGOD", "image/gif"],
  ["UklGR", "image/webp"]
]

/** Reads `file_data` of OpenAI's APIs: a URL, or base64 without a statement of its type. */
export const parseFileData = (data: string, filename: string | undefined): MediaSource =>
  /^[a-z][a-z0-9+.-]*:/i.test(data)
    ? parseMediaUrl(data)
    : { type: "base64", mediaType: findFileType(data, filename), data }
