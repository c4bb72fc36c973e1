/** Converts the parts of a library's prompt to the parts of a conversation. */
import type {
  AudioPart,
  CallPart,
  FilePart,
  ImagePart,
  MediaSource,
  Part,
  VideoPart
} from "../../conversation/Part.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { toAudioFormat } from "../mediaType.ts"
import type { PartOptions } from "./partMetadata.ts"

export const toTextPart = (text: string, { cache, isRefusal, signature }: PartOptions): Part =>
  isRefusal
    ? { type: "refusal", refusal: text }
    : { type: "text", text, ...omitUndefined({ cache, signature }) }

/**
 * Some providers sign their reasoning at the end of a stream, after its text. Reasoning without text and without
 * content for its provider is not sent.
 */
export const addReasoning = (
  said: Array<Part>,
  text: string,
  { reasoning }: Pick<PartOptions, "reasoning">
): void => {
  const { encrypted, signature } = reasoning
  if (text !== "") said.push({ type: "reasoning", ...reasoning, text })
  else if (encrypted !== undefined) said.push({ type: "reasoning", ...reasoning })
  else if (signature !== undefined) {
    const at = said.findLastIndex(({ type }) => type === "reasoning")
    const last = said[at]
    if (last?.type === "reasoning" && last.signature === undefined) {
      said[at] = { ...last, ...reasoning }
    } else said.push({ type: "reasoning", ...reasoning })
  }
}

/** Arguments that are no JSON are their text already. */
export const toCallPart = (
  { id, input, name }: { readonly id: string; readonly name: string; readonly input: unknown },
  { cache, signature }: PartOptions
): CallPart => ({
  type: "call",
  id,
  name,
  arguments: typeof input === "string" ? input : JSON.stringify(input ?? {}),
  ...omitUndefined({ cache, signature })
})

/** Chooses the part by the media type of a file, of which a prompt may know only the kind. */
export const toMediaPart = (
  source: MediaSource,
  { filename, mediaType }: { readonly mediaType: string; readonly filename?: string | undefined },
  { cache, detail }: Pick<PartOptions, "cache" | "detail">
): AudioPart | FilePart | ImagePart | VideoPart => {
  const [kind = "", subtype = ""] = mediaType.toLowerCase().split("/")
  const format = subtype === "" || subtype === "*" ? undefined : toAudioFormat(subtype)
  switch (kind) {
    case "image":
      return { type: "image", source, ...omitUndefined({ detail, cache }) }
    case "audio":
      return { type: "audio", source, ...omitUndefined({ format, cache }) }
    case "video":
      return { type: "video", source, ...omitUndefined({ cache }) }
    default:
      return { type: "file", source, ...omitUndefined({ filename, cache }) }
  }
}
