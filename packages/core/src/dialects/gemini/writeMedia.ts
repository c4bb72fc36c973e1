/** Writes media for Google's API. */
import * as Result from "effect/Result"
import type { AudioPart, FilePart, ImagePart, VideoPart } from "../../conversation/Part.ts"
import { failTranslation } from "../failTranslation.ts"
import type { UntranslatableRequest } from "../UntranslatableRequest.ts"
import { getExtraFields, type Json } from "./geminiFields.ts"
import { guessMediaType, isGoogleUrl } from "./mediaTypes.ts"

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
