/** Types of media where only a URL is known: Google's API asks for one. */
import * as Result from "effect/Result"
import type { AudioPart, FilePart, ImagePart, VideoPart } from "../../conversation/Part.ts"
import { type UntranslatableRequest, failTranslation } from "../UntranslatableRequest.ts"
import { type Json, getExtraFields } from "./geminiFields.ts"

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

/** `takesUrls`: whether the model takes URLs of any public host. */
export const writeMedia = (
  { extra, source, type }: AudioPart | FilePart | ImagePart | VideoPart,
  takesUrls: boolean
): Result.Result<Json, UntranslatableRequest> => {
  const fields = getExtraFields(extra)
  switch (source.type) {
    case "base64":
      return Result.succeed({
        inlineData: { mimeType: source.mediaType, data: source.data },
        ...fields
      })
    case "url":
      return takesUrls || isGoogleUrl(source.url)
        ? Result.succeed({
            fileData: {
              mimeType: source.mediaType ?? guessMediaType(source.url, type),
              fileUri: source.url
            },
            ...fields
          })
        : failTranslation(["messages"], "this provider takes no URLs of media; send them in base64")
    case "id":
      return source.dialect === "gemini"
        ? Result.succeed({ fileData: { fileUri: source.id }, ...fields })
        : failTranslation(["messages"], `the file "${source.id}" is not one of this provider`)
  }
}
