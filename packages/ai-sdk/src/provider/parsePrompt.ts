/** Parses the prompt of a call as the turns of a conversation. */
import type {
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart
} from "@ai-sdk/provider"
import {
  addReasoning,
  type Part,
  type ResultPart,
  toCallPart,
  toTextPart,
  type Turn
} from "@signalbox/core/dialects"
import type { CallWarnings } from "./CallWarnings.ts"
import { parseFile } from "./parseFile.ts"
import { readPartOptions } from "./readPartOptions.ts"

export const parsePrompt = (
  prompt: LanguageModelV4Prompt,
  warnings: CallWarnings
): ReadonlyArray<Turn> =>
  prompt.map((message, index) => {
    const where = `prompt.${index}`
    const parts = parseMessage(message, where, warnings)
    const { cache } = readPartOptions(message.providerOptions, where)
    return { role: message.role, parts: cache === undefined ? parts : markLast(parts, cache) }
  })

/** A mark on a message ends the prefix with its last part. */
const markLast = (
  parts: ReadonlyArray<Part>,
  cache: NonNullable<ResultPart["cache"]>
): ReadonlyArray<Part> => {
  const last = parts.findLastIndex(({ type }) => markableTypes.has(type))
  return parts.map((part, at) => (at === last ? { ...part, cache } : part))
}

const markableTypes: ReadonlySet<Part["type"]> = new Set([
  "audio",
  "call",
  "file",
  "image",
  "result",
  "text",
  "video"
])

const parseMessage = (
  message: LanguageModelV4Message,
  where: string,
  warnings: CallWarnings
): ReadonlyArray<Part> => {
  const at = (index: number): string => `${where}.content.${index}`
  switch (message.role) {
    case "system":
      return [{ type: "text", text: message.content }]
    case "user":
      return message.content.map((part, index) => parseShown(part, at(index)))
    case "assistant": {
      const said: Array<Part> = []
      message.content.forEach((part, index) => addSaid(said, part, at(index), warnings))
      return said
    }
    case "tool":
      return message.content.flatMap((part, index) => {
        if (part.type === "tool-result") return [parseResult(part, at(index), warnings)]
        warnings.unsupported(
          "tool approval responses",
          "Tools that a provider runs have no approvals here."
        )
        return []
      })
  }
}

const parseShown = (
  part: LanguageModelV4FilePart | LanguageModelV4TextPart,
  where: string
): Part => {
  const options = readPartOptions(part.providerOptions, where)
  return part.type === "text" ? toTextPart(part.text, options) : parseFile(part, options)
}

type SaidPart = Extract<LanguageModelV4Message, { role: "assistant" }>["content"][number]

const addSaid = (
  said: Array<Part>,
  part: SaidPart,
  where: string,
  warnings: CallWarnings
): void => {
  switch (part.type) {
    case "text":
    case "file":
      said.push(parseShown(part, where))
      return
    case "reasoning":
      return addReasoning(said, part.text, readPartOptions(part.providerOptions, where))
    case "tool-call":
      if (part.providerExecuted !== true) {
        const { input, providerOptions, toolCallId: id, toolName: name } = part
        said.push(toCallPart({ id, name, input }, readPartOptions(providerOptions, where)))
        return
      }
      break
    case "custom":
    case "reasoning-file":
    case "tool-result":
      break
  }
  warnings.unsupported(
    `${part.type} parts of earlier answers`,
    "What another provider ran itself, and what only it knows, was left out."
  )
}

const parseResult = (
  { output, providerOptions, toolCallId, toolName }: LanguageModelV4ToolResultPart,
  where: string,
  warnings: CallWarnings
): ResultPart => {
  const options = readPartOptions(providerOptions, where)
  const { cache = options.cache } = readPartOptions(
    "providerOptions" in output ? output.providerOptions : undefined,
    `${where}.output`
  )
  const isError = output.type === "error-json" || output.type === "error-text"
  return {
    type: "result",
    callId: toolCallId,
    name: toolName,
    content: parseOutput(output, `${where}.output`, warnings),
    ...(isError ? { isError } : undefined),
    ...(cache === undefined ? undefined : { cache })
  }
}

const parseOutput = (
  output: LanguageModelV4ToolResultOutput,
  where: string,
  warnings: CallWarnings
): ResultPart["content"] => {
  switch (output.type) {
    case "text":
    case "error-text":
      return [{ type: "text", text: output.value }]
    case "json":
    case "error-json":
      return [{ type: "text", text: JSON.stringify(output.value) }]
    case "execution-denied":
      return [{ type: "text", text: output.reason ?? "The user denied the call of this tool." }]
    case "content":
      return output.value.flatMap((part, index): ResultPart["content"] => {
        const options = readPartOptions(part.providerOptions, `${where}.value.${index}`)
        if (part.type === "text") {
          const { cache } = options
          return [{ type: "text", text: part.text, ...(cache === undefined ? {} : { cache }) }]
        }
        if (part.type === "file") return [parseFile(part, options)]
        warnings.unsupported("custom parts of tool results", "They were left out.")
        return []
      })
  }
}
