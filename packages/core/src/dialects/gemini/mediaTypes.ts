/** Types of media where only a URL is known: Google's API asks for one. */

/** The URL of a file that was uploaded to Google's API; no one else can read it. */
export const isUploadedFile = (url: string): boolean =>
  /^https:\/\/generativelanguage\.googleapis\.com\//i.test(url)

/** Whether a URL is one of Google's, which every model takes, unlike URLs of other hosts. */
export const isGoogleUrl = (url: string): boolean =>
  isUploadedFile(url) ||
  /^gs:\/\//i.test(url) ||
  /^https:\/\/(?:(?:www\.)?youtube\.com|youtu\.be)\//i.test(url)

export type MediaKind = "audio" | "file" | "image" | "video"

/** Guesses the type by the ending of the URL, else takes the most common type of its kind. */
export const guessMediaType = (url: string, kind: MediaKind): string => {
  const ending = /\.([a-z0-9]{2,5})(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? ""
  const known = typesByEnding.get(ending)
  return known !== undefined && (kind === "file" || known.startsWith(`${kind}/`))
    ? known
    : commonTypes[kind]
}

const commonTypes: Readonly<Record<MediaKind, string>> = {
  audio: "audio/mp3",
  file: "application/pdf",
  image: "image/jpeg",
  video: "video/mp4"
}

const typesByEnding: ReadonlyMap<string, string> = new Map([
  ["csv", "text/csv"],
  ["flac", "audio/flac"],
  ["gif", "image/gif"],
  ["heic", "image/heic"],
  ["html", "text/html"],
  ["mov", "video/mov"],
  ["mp3", "audio/mp3"],
  ["mp4", "video/mp4"],
  ["ogg", "audio/ogg"],
  ["pdf", "application/pdf"],
  ["png", "image/png"],
  ["txt", "text/plain"],
  ["wav", "audio/wav"],
  ["webm", "video/webm"],
  ["webp", "image/webp"]
])
