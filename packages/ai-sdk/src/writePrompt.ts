/** Writes the turns of a conversation as the prompt of a model of the AI SDK. */
import type {
  LanguageModelV4Message,
  LanguageModelV4Prompt,
  LanguageModelV4TextPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart
} from "@ai-sdk/provider"
import {
  type CallPart,
  dropForeignReasoning,
  pairCalls,
  type Part,
  type RequestChanges,
  type ResultPart,
  type ToolNames,
  type Turn,
  UntranslatableRequest,
  writePastArguments
} from "@signalbox/core/dialects"
import * as Result from "effect/Result"
import { isObject } from "./isObject.ts"
import { readSignature } from "./providerMetadata.ts"
import { type FileOptions, writeFile } from "./writeFile.ts"

type Written<A> = Result.Result<A, UntranslatableRequest>
type Content<Role> = Extract<LanguageModelV4Message, { readonly role: Role }>["content"]

export interface PromptOptions extends FileOptions {
  /** Collects the fields that are sent in another form. */
  readonly changes: RequestChanges
  readonly names: ToolNames
  /** The family whose reasoning and signatures the model reads. */
  readonly reasoningFamily: string
}

/** Fails for what the model would miss, and for results without a call. */
export const writePrompt = (
  turns: ReadonlyArray<Turn>,
  options: PromptOptions
): Written<LanguageModelV4Prompt> =>
  Result.gen(function* () {
    const calls = new Map<string, CallPart>()
    const prompt: LanguageModelV4Prompt = []
    for (const { parts, role } of yield* pairCalls(turns)) {
      switch (role) {
        case "system":
          prompt.push({ role, content: yield* writeInstructions(parts) })
          break
        case "user":
          prompt.push({ role, content: yield* writeUserParts(parts, options) })
          break
        case "assistant":
          for (const part of parts) if (part.type === "call") calls.set(part.id, part)
          prompt.push({ role, content: yield* writeAssistantParts(parts, options) })
          break
        case "tool":
          prompt.push({ role, content: yield* writeResults(parts, calls, options) })
          break
      }
    }
    return prompt.filter(({ content }) => content.length > 0)
  })

const fail = (problem: string): Written<never> =>
  Result.fail(new UntranslatableRequest({ path: ["messages"], problem }))

const writeInstructions = (parts: ReadonlyArray<Part>): Written<string> => {
  const texts: Array<string> = []
  for (const part of parts) {
    if (part.type !== "text") return fail(`hold a part of the type ${part.type} in instructions`)
    texts.push(part.text)
  }
  return Result.succeed(texts.join("\n"))
}

const writeUserParts = (
  parts: ReadonlyArray<Part>,
  options: PromptOptions
): Written<Content<"user">> =>
  Result.gen(function* () {
    const content: Content<"user"> = []
    for (const part of parts) {
      switch (part.type) {
        case "text":
          content.push(writeText(part.text))
          break
        case "refusal":
          content.push(writeText(part.refusal))
          break
        case "audio":
        case "file":
        case "image":
        case "video":
          content.push(yield* writeFile(part, options))
          break
        case "opaque":
          return yield* failOpaque(part.raw)
        case "call":
        case "reasoning":
        case "result":
          break
      }
    }
    return content
  })

const failOpaque = (raw: unknown): Written<never> => {
  const type = isObject(raw) ? raw["type"] : undefined
  return fail(`hold a part of the unknown type ${typeof type === "string" ? type : typeof raw}`)
}

const writeText = (text: string, signature?: string): LanguageModelV4TextPart => ({
  type: "text",
  text,
  ...writeOptions(signature)
})

const writeOptions = (signature: string | undefined) => {
  const providerOptions = readSignature(signature)
  return providerOptions === undefined ? undefined : { providerOptions }
}

/** Reasoning of other providers is left out, and never becomes text. */
const writeAssistantParts = (
  parts: ReadonlyArray<Part>,
  options: PromptOptions
): Written<Content<"assistant">> =>
  Result.gen(function* () {
    const content: Content<"assistant"> = []
    for (const part of dropForeignReasoning(parts, options.reasoningFamily)) {
      switch (part.type) {
        case "text":
          if (part.text !== "" || part.signature !== undefined) {
            content.push(writeText(part.text, part.signature?.value))
          }
          break
        case "refusal":
          content.push(writeText(part.refusal))
          break
        case "reasoning":
          content.push({
            type: "reasoning",
            text: part.text ?? "",
            ...writeOptions(part.signature)
          })
          break
        case "call": {
          content.push({
            type: "tool-call",
            toolCallId: part.id,
            toolName: options.names.toDialect(part),
            input: writePastArguments(part, options.changes),
            ...writeOptions(part.signature?.value)
          })
          break
        }
        case "audio":
        case "file":
        case "image":
        case "video":
          content.push(yield* writeFile(part, options))
          break
        case "opaque":
        case "result":
          break
      }
    }
    return content
  })

const writeResults = (
  parts: ReadonlyArray<Part>,
  calls: ReadonlyMap<string, CallPart>,
  options: PromptOptions
): Written<Array<LanguageModelV4ToolResultPart>> =>
  Result.gen(function* () {
    const content: Array<LanguageModelV4ToolResultPart> = []
    for (const part of parts) {
      if (part.type !== "result") continue
      content.push({
        type: "tool-result",
        toolCallId: part.callId,
        toolName: options.names.toDialect(
          calls.get(part.callId) ?? { name: part.name ?? part.callId }
        ),
        output: yield* writeOutput(part, options)
      })
    }
    return content
  })

const writeOutput = (
  { content, isError }: ResultPart,
  options: PromptOptions
): Written<LanguageModelV4ToolResultOutput> =>
  Result.map(writeUserParts(content, options), (written) => {
    const texts = written.flatMap((part) => (part.type === "text" ? [part.text] : []))
    return texts.length === written.length
      ? { type: isError === true ? "error-text" : "text", value: texts.join("") }
      : { type: "content", value: written }
  })
