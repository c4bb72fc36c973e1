/** The parts of a conversation that the model reads, for estimates of its tokens. */
import * as Base64 from "effect/encoding/Base64"
import * as Result from "effect/Result"
import type { Conversation, Tool } from "../conversation/Conversation.ts"
import type { MediaSource, Part } from "../conversation/Part.ts"

/** Texts count unchanged, JSON by its text, and media by their number. */
export interface PromptContent {
  readonly texts: ReadonlyArray<string>
  readonly images: number
  readonly files: number
  readonly audios: number
  readonly videos: number
}

/**
 * Tools, the schema of the answer and results of calls are read like messages. Signatures and encrypted reasoning are
 * not counted, because their length says nothing about their number of tokens.
 */
export const collectPrompt = ({ format, tools, turns }: Conversation): PromptContent => {
  const texts: Array<string> = []
  const media = { images: 0, files: 0, audios: 0, videos: 0 }

  const addPart = (part: Part): void => {
    switch (part.type) {
      case "text":
        texts.push(part.text)
        break
      case "refusal":
        texts.push(part.refusal)
        break
      case "reasoning":
        if (part.text !== undefined) texts.push(part.text)
        break
      case "call":
        texts.push(part.name, part.arguments)
        break
      case "result":
        part.content.forEach(addPart)
        break
      case "opaque":
        texts.push(JSON.stringify(part.raw) ?? "")
        break
      case "file": {
        const text = findFileText(part.source)
        if (text === undefined) media.files++
        else texts.push(text)
        break
      }
      case "image":
        media.images++
        break
      case "audio":
        media.audios++
        break
      case "video":
        media.videos++
        break
    }
  }

  for (const { parts } of turns) parts.forEach(addPart)
  for (const tool of tools) texts.push(...listToolTexts(tool))
  if (format?.type === "schema") texts.push(JSON.stringify(format.schema))
  return { texts: texts.filter((text) => text !== ""), ...media }
}

const findFileText = (source: MediaSource): string | undefined =>
  source.type === "base64" && source.mediaType.startsWith("text/")
    ? Result.getOrUndefined(Base64.decodeString(source.data))
    : undefined

const listToolTexts = (tool: Tool): ReadonlyArray<string> => {
  switch (tool.type) {
    case "server":
      return [JSON.stringify(tool.raw)]
    case "custom":
      return [tool.name, tool.description ?? "", JSON.stringify(tool.format) ?? ""]
    case "function":
      return [
        tool.name,
        tool.description ?? "",
        tool.parameters === undefined ? "" : JSON.stringify(tool.parameters)
      ]
  }
}
