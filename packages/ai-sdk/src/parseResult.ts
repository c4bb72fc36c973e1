/** Reads a whole answer of a model of the AI SDK. */
import type { LanguageModelV4Content, LanguageModelV4GenerateResult } from "@ai-sdk/provider"
import {
  addCitations,
  getFreeText,
  makeToolFinder,
  type Part,
  type Tool,
  type ToolFinder
} from "@signalbox/core/dialects"
import {
  type ChatMetadata,
  type ChatReply,
  findEmbeddedFailure,
  type TokenUsage,
  UpstreamFailure
} from "@signalbox/core/upstream"
import * as Result from "effect/Result"
import { isObject } from "./isObject.ts"
import { parseFile } from "./parseFile.ts"
import { parseFinish, toInvalid } from "./parseFinish.ts"
import { parseUsage } from "./parseUsage.ts"
import { writeSignature } from "./providerMetadata.ts"
import { parseCitations, parseSource } from "./parseCitations.ts"

export interface ReadOptions {
  /** The tools of the request, whose calls get the names of the caller back. */
  readonly tools: ReadonlyArray<Tool>
  /** The format of reasoning and signatures. */
  readonly format: string
  /** Characters of one text. */
  readonly maxLength: number
}

export const parseResult = (
  result: LanguageModelV4GenerateResult,
  options: ReadOptions
): Result.Result<ChatReply, UpstreamFailure> => {
  const report = parseUsage(result.usage)
  const overlooked = findOverlookedFailure(result.response?.body, report.usage)
  if (overlooked !== undefined) return Result.fail(overlooked)
  const { content } = result
  if (!Array.isArray(content)) {
    return Result.fail(toInvalid("the answer holds no content", report.usage))
  }
  if (content.some((each) => getLength(each) > options.maxLength)) {
    return Result.fail(toInvalid(`a text exceeds ${options.maxLength} characters`, report.usage))
  }
  const findTool = makeToolFinder(options.tools)
  const parts = content.flatMap((each) => parseContent(each, findTool, options))
  const end = parseFinish(result.finishReason, {
    hasCalls: parts.some(({ type }) => type === "call"),
    hasContent: parts.length > 0,
    usage: report.usage
  })
  if (end instanceof UpstreamFailure) return Result.fail(end)
  const sources = content.flatMap((each) => (each.type === "source" ? parseSource(each) : []))
  return Result.succeed({
    choices: [{ index: 0, answer: { parts: addCitations(parts, sources), end } }],
    ...report,
    ...parseHead(result.response)
  })
}

/** Some packages of the AI SDK do not look for an error beside an answer, or in it. */
const findOverlookedFailure = (
  body: unknown,
  usage: TokenUsage | undefined
): UpstreamFailure | undefined => {
  if (!isObject(body)) return undefined
  const choices: ReadonlyArray<unknown> = Array.isArray(body["choices"]) ? body["choices"] : []
  for (const each of [body, ...choices.filter(isObject)]) {
    const failure = findEmbeddedFailure(each, usage)
    if (failure !== undefined) return failure
  }
  return undefined
}

const getLength = (content: LanguageModelV4Content): number => {
  if (content.type === "text" || content.type === "reasoning") return content.text.length
  return content.type === "tool-call" ? content.input.length : 0
}

/** What the provider ran itself, and what only it knows, has no place in chat. */
const parseContent = (
  content: LanguageModelV4Content,
  findTool: ToolFinder,
  { format }: ReadOptions
): ReadonlyArray<Part> => {
  switch (content.type) {
    case "text": {
      const signature = writeSignature(content.providerMetadata, format)
      const citations = parseCitations(content.citations)
      return [
        {
          type: "text",
          text: content.text,
          ...(citations.length === 0 ? undefined : { citations }),
          ...(signature === undefined ? undefined : { signature })
        }
      ]
    }
    case "reasoning": {
      const signature = writeSignature(content.providerMetadata, format)
      return [
        {
          type: "reasoning",
          format,
          text: content.text,
          ...(signature === undefined ? undefined : { signature: signature.value })
        }
      ]
    }
    case "tool-call": {
      if (content.providerExecuted === true) return []
      const tool = findTool(content.toolName)
      const signature = writeSignature(content.providerMetadata, format)
      return [
        {
          type: "call",
          id: content.toolCallId,
          ...tool,
          arguments: tool.isCustom === true ? getFreeText(content.input) : content.input,
          ...(signature === undefined ? undefined : { signature })
        }
      ]
    }
    case "file":
      return parseFile(content)
    case "custom":
    case "reasoning-file":
    case "source":
    case "tool-approval-request":
    case "tool-result":
      return []
  }
  // A later version of the interface has content of other types.
  return []
}

/** Values that are stored must be short. */
export const parseHead = (response: unknown): Pick<ChatMetadata, "id" | "model"> => {
  const { id, modelId } = isObject(response) ? response : {}
  return {
    ...(isShortText(id) ? { id } : undefined),
    ...(isShortText(modelId) ? { model: modelId } : undefined)
  }
}

const isShortText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= 256
