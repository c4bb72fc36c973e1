/** Writes the parts of an answer in the AI SDK's form. */
import type {
  LanguageModelV4Content,
  LanguageModelV4File,
  LanguageModelV4Source,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
  SharedV4ProviderMetadata
} from "@ai-sdk/provider"
import { guessMediaType, type PartForms } from "@signalbox/core/dialects"
import { optionsKey } from "./readOptions.ts"

type Common = LanguageModelV4File | LanguageModelV4Source | LanguageModelV4ToolCall

const toMetadata = (
  metadata: SharedV4ProviderMetadata[string] | undefined
): { readonly providerMetadata: SharedV4ProviderMetadata } | undefined =>
  metadata === undefined ? undefined : { providerMetadata: { [optionsKey]: metadata } }

const toFile = (mediaType: string, data: LanguageModelV4File["data"]): LanguageModelV4File => ({
  type: "file",
  mediaType,
  data
})

export const partForms: PartForms<Common, LanguageModelV4Content, LanguageModelV4StreamPart> = {
  writeCall: ({ arguments: input, id, name }, metadata) => ({
    type: "tool-call",
    toolCallId: id,
    toolName: name,
    // Providers may say nothing for a call without arguments.
    input: input === "" ? "{}" : input,
    ...toMetadata(metadata)
  }),
  writeMedia: ({ source, type }) => {
    if (source.type === "base64") {
      return [toFile(source.mediaType, { type: "data", data: source.data })]
    }
    if (source.type === "id" || !URL.canParse(source.url)) return []
    const mediaType = source.mediaType ?? guessMediaType(source.url, type)
    return [toFile(mediaType, { type: "url", url: new URL(source.url) })]
  },
  writeSource: ({ title, url }) => [
    {
      type: "source",
      sourceType: "url",
      id: url,
      url,
      ...(title === undefined ? undefined : { title })
    }
  ],
  writeText: (text, metadata) => ({ type: "text", text, ...toMetadata(metadata) }),
  writeReasoning: (text, metadata) => ({ type: "reasoning", text, ...toMetadata(metadata) }),
  startText: (id) => ({ type: "text-start", id }),
  extendText: (id, delta) => ({ type: "text-delta", id, delta }),
  endText: (id, metadata) => ({ type: "text-end", id, ...toMetadata(metadata) }),
  startReasoning: (id, metadata) => ({ type: "reasoning-start", id, ...toMetadata(metadata) }),
  extendReasoning: (id, delta) => ({ type: "reasoning-delta", id, delta }),
  endReasoning: (id, metadata) => ({ type: "reasoning-end", id, ...toMetadata(metadata) }),
  startCall: (id, toolName) => ({ type: "tool-input-start", id, toolName }),
  extendCall: (id, delta) => ({ type: "tool-input-delta", id, delta }),
  endCall: (id) => ({ type: "tool-input-end", id })
}
