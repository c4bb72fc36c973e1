/** Writes a whole answer as the content of a result. */
import type { LanguageModelV4Content } from "@ai-sdk/provider"
import type { ChatCompletionChoice } from "@signalbox/core/contract"
import { parseChatAnswer, type Part, type ToolFinder } from "@signalbox/core/dialects"
import { writeReasoning, writeSignature } from "./partMetadata.ts"
import { optionsKey } from "./readOptions.ts"
import { writeMedia } from "./writeMedia.ts"
import { writeSources } from "./writeSources.ts"

export const writeContent = (
  { finish_reason: reason, message }: ChatCompletionChoice,
  findTool: ToolFinder
): Array<LanguageModelV4Content> => {
  const { parts } = parseChatAnswer({ ...message }, { reason })
  return [
    ...parts.flatMap((part) => writePart(part, findTool)),
    ...parts.flatMap((part) => (part.type === "text" ? writeSources(part.citations ?? []) : []))
  ]
}

const writePart = (part: Part, findTool: ToolFinder): ReadonlyArray<LanguageModelV4Content> => {
  switch (part.type) {
    case "text":
      // An empty text of a message without content says nothing, unless it is signed.
      return part.text === "" && part.signature === undefined
        ? []
        : [{ type: "text", text: part.text, ...writeSignature(part.signature) }]
    case "refusal":
      return [
        {
          type: "text",
          text: part.refusal,
          providerMetadata: { [optionsKey]: { refusal: true } }
        }
      ]
    case "reasoning":
      return [{ type: "reasoning", text: part.text ?? "", ...writeReasoning(part) }]
    case "call":
      return [
        {
          type: "tool-call",
          toolCallId: part.id,
          toolName: findTool(part.name).name,
          input: part.arguments,
          ...writeSignature(part.signature)
        }
      ]
    case "audio":
    case "file":
    case "image":
    case "video":
      return writeMedia(part)
    case "opaque":
    case "result":
      return []
  }
}
