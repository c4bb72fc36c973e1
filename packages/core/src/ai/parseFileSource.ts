/** Parses where the bytes of a file of a prompt are. */
import type * as Prompt from "effect/ai/Prompt"
import * as Base64 from "effect/encoding/Base64"
import type { MediaSource } from "../conversation/Part.ts"
import { parseMediaUrl } from "../conversation/parseMediaUrl.ts"
import { findImageType } from "../dialects/mediaType.ts"

/** A text is base64, or a URL, which has a colon that base64 has not. */
export const parseFileSource = ({
  data,
  mediaType
}: Pick<Prompt.FilePart, "data" | "mediaType">): MediaSource => {
  const text = data instanceof URL ? data.href : data
  if (typeof text === "string" && text.includes(":")) return parseMediaUrl(text)
  const base64 = typeof text === "string" ? text : Base64.encode(text)
  return { type: "base64", mediaType: toFullType(mediaType, base64), data: base64 }
}

/** A prompt may know the kind alone, as `image` or `image/*`; then the bytes say which one it is. */
const toFullType = (mediaType: string, base64: string): string =>
  /^image(?:\/\*)?$/i.test(mediaType) ? (findImageType(base64) ?? "image/jpeg") : mediaType
