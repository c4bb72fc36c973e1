/** Writes images and documents for Anthropic's API. */
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import type { FilePart, ImagePart, MediaSource } from "../../conversation/Part.ts"
import { type UntranslatableRequest, failTranslation } from "../UntranslatableRequest.ts"
import { getExtraFields, writeCacheMark } from "./messagesFields.ts"

type Json = Readonly<Record<string, unknown>>
type Written = Result.Result<Json, UntranslatableRequest>

export const writeImage = (part: ImagePart, takesUrls: boolean): Written =>
  Result.map(writeSource(part.source, takesUrls), (source) => ({
    type: "image",
    source,
    ...getExtraFields(part.extra),
    ...writeCacheMark(part.cache)
  }))

/** PDF and text become documents. An image becomes an image even if the caller sent it as a file. */
export const writeFile = (part: FilePart, takesUrls: boolean): Written => {
  const { cache, extra, filename = "", source } = part
  const mediaType = source.type === "base64" ? source.mediaType.toLowerCase() : ""
  if (mediaType.startsWith("image/")) {
    return writeImage({ ...part, type: "image" }, takesUrls)
  }
  if (source.type === "base64" && mediaType !== "application/pdf" && !isText(mediaType)) {
    return failTranslation(["messages"], `files of type ${source.mediaType} are not supported`)
  }
  return Result.map(
    source.type === "base64" && isText(mediaType)
      ? writeTextSource(source.data)
      : writeSource(source, takesUrls),
    (written) => ({
      type: "document",
      source: written,
      ...(filename === "" ? undefined : { title: filename }),
      ...getExtraFields(extra),
      ...writeCacheMark(cache)
    })
  )
}

const isText = (mediaType: string): boolean =>
  mediaType.startsWith("text/") || mediaType === "application/json"

const writeTextSource = (data: string): Written =>
  Result.match(Base64.decodeString(data), {
    onFailure: () => failTranslation(["messages"], "a file of text is not valid base64"),
    onSuccess: (text) =>
      Result.succeed<Json>({ type: "text", media_type: "text/plain", data: text })
  })

const writeSource = (source: MediaSource, takesUrls: boolean): Written => {
  switch (source.type) {
    case "base64":
      return Result.succeed({ type: "base64", media_type: source.mediaType, data: source.data })
    case "url":
      return takesUrls
        ? Result.succeed({ type: "url", url: source.url })
        : failTranslation(["messages"], "this provider takes no URLs of media; send them in base64")
    case "id":
      return source.dialect === "messages"
        ? Result.succeed({ type: "file", file_id: source.id })
        : failTranslation(["messages"], `the file "${source.id}" is not one of this provider`)
  }
}
