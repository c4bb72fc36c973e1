/** Parses the content blocks of Anthropic's API, in requests and answers. */
import * as Result from "effect/Result"
import type { Part, ResultPart, TextPart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { attachSignatures } from "../chat/reasoningDetails.ts"
import {
  failTranslation,
  findField,
  findText,
  type UntranslatableRequest
} from "../UntranslatableRequest.ts"
import { parseExtra } from "./messagesFields.ts"
import { parseDocument, parseImage, parseSearchResult, parseToolReference } from "./parseMedia.ts"
import { parseRedactedThinking, parseThinking } from "./thinkingBlocks.ts"

type Json = Readonly<Record<string, unknown>>
type Path = ReadonlyArray<number | string>
type Parsed<A> = Result.Result<A, UntranslatableRequest>

/** A text, a list of blocks, or nothing. Blocks of unknown types stay opaque. */
export const parseContent = (content: unknown, path: Path): Parsed<ReadonlyArray<Part>> => {
  if (content === null || content === undefined) return Result.succeed([])
  if (typeof content === "string") return Result.succeed([{ type: "text", text: content }])
  if (!Array.isArray(content)) return failTranslation(path, "must be a string or a list of blocks")
  const parts: Array<Part> = []
  for (let index = 0; index < content.length; index++) {
    const block: unknown = content[index]
    if (isObject(block) && block["type"] === "text" && typeof block["text"] === "string") {
      parts.push(toTextPart(block["text"], block))
      continue
    }
    const parsed = parseBlock(block, [...path, index])
    if (Result.isFailure(parsed)) return Result.fail(parsed.failure)
    parts.push(...parsed.success)
  }
  return Result.succeed(attachSignatures(parts))
}

const parseBlock = (block: unknown, path: Path): Parsed<ReadonlyArray<Part>> => {
  if (!isObject(block)) return failTranslation(path, "must be an object")
  switch (block["type"]) {
    case "text": {
      const text = findText(block, "text")
      return text === undefined
        ? failTranslation([...path, "text"], "must be a string")
        : Result.succeed([toTextPart(text, block)])
    }
    case "image":
      return orFail(toList(parseImage(block)), path, "needs a source of type base64, url or file")
    case "document":
      return orFail(
        parseDocument(block),
        path,
        "needs a source of type base64, text, content, url or file"
      )
    case "search_result":
      return Result.succeed([parseSearchResult(block)])
    case "tool_reference":
      return Result.succeed([parseToolReference(block)])
    case "thinking":
      return Result.succeed(
        parseThinking(findText(block, "thinking") ?? "", findText(block, "signature") ?? "")
      )
    case "redacted_thinking":
      return Result.succeed([parseRedactedThinking(findText(block, "data") ?? "")])
    case "tool_use":
      return parseCall(block, path)
    case "tool_result":
      return parseResult(block, path)
    default:
      return Result.succeed([{ type: "opaque", dialect: "messages", raw: block }])
  }
}

export const toTextPart = (text: string, block: Json): TextPart => ({
  type: "text",
  text,
  ...parseExtra(block, textFields)
})

const textFields: ReadonlySet<string> = new Set(["type", "text"])

const toList = (part: Part | undefined): ReadonlyArray<Part> | undefined =>
  part === undefined ? undefined : [part]

const orFail = (
  parts: ReadonlyArray<Part> | undefined,
  path: Path,
  problem: string
): Parsed<ReadonlyArray<Part>> =>
  parts === undefined ? failTranslation(path, problem) : Result.succeed(parts)

const parseCall = (block: Json, path: Path): Parsed<ReadonlyArray<Part>> => {
  const id = findText(block, "id")
  const name = findText(block, "name")
  const input = findField(block, "input") ?? {}
  if (id === undefined) return failTranslation([...path, "id"], "must be a string")
  if (name === undefined) return failTranslation([...path, "name"], "must be a string")
  return Result.succeed([
    {
      type: "call",
      id,
      name,
      // Clients keep the input of a call that broke off as text.
      arguments: typeof input === "string" ? input : JSON.stringify(input),
      ...parseExtra(block, callFields)
    }
  ])
}

const callFields: ReadonlySet<string> = new Set(["type", "id", "name", "input"])

const parseResult = (block: Json, path: Path): Parsed<ReadonlyArray<Part>> => {
  const callId = findText(block, "tool_use_id")
  if (callId === undefined) return failTranslation([...path, "tool_use_id"], "must be a string")
  return Result.map(parseContent(block["content"], [...path, "content"]), (parts) => [
    {
      type: "result",
      callId,
      content: parts.filter(isResultContent),
      ...(block["is_error"] === true ? { isError: true } : undefined),
      ...parseExtra(block, resultFields)
    }
  ])
}

const resultFields: ReadonlySet<string> = new Set(["type", "tool_use_id", "content", "is_error"])

const isResultContent = (part: Part): part is ResultPart["content"][number] =>
  part.type === "file" || part.type === "image" || part.type === "opaque" || part.type === "text"
