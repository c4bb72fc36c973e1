/** Reads the files of an answer. */
import type { LanguageModelV4File } from "@ai-sdk/provider"
import type { ImagePart } from "@signalbox/core/dialects"
import * as Base64 from "effect/encoding/Base64"

/** Chat has a place for pictures only. */
export const parseFile = ({ data, mediaType }: LanguageModelV4File): ReadonlyArray<ImagePart> => {
  if (!mediaType.startsWith("image/")) return []
  if (data.type === "url") return [{ type: "image", source: { type: "url", url: data.url.href } }]
  const base64 = typeof data.data === "string" ? data.data : Base64.encode(data.data)
  return [{ type: "image", source: { type: "base64", mediaType, data: base64 } }]
}
