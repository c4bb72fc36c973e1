/** Parses the parts of Google's API that requests and answers share. */
import * as Result from "effect/Result"
import type { Part, ReasoningPart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { type ToolFinder, getFreeText } from "../CalledTool.ts"
import {
  failTranslation,
  findText,
  isEmpty,
  omitFields,
  type UntranslatableRequest
} from "../UntranslatableRequest.ts"
import { type Json, parseExtra, toCamelCase } from "./geminiFields.ts"
import { parseFileData, parseInlineData } from "./parseMedia.ts"
import {
  googleFormat,
  isWrapped,
  parseSignature,
  parseThoughtSignature,
  uncheckedSignature
} from "./thoughtSignatures.ts"

type Parsed = Result.Result<ReadonlyArray<Part>, UntranslatableRequest>

export interface CallReader {
  readonly findTool: ToolFinder
  /** Makes the id of a call that arrives without one. */
  readonly makeId: (name: string) => string
}

/** Returns nothing for an empty text without a signature. Parts of unknown kinds stay opaque. */
export const parsePart = (
  raw: unknown,
  path: ReadonlyArray<number | string>,
  calls: CallReader
): Parsed => {
  if (!isObject(raw)) return failTranslation(path, "must be an object")
  const part = toCamelCase(raw)
  const text = findText(part, "text")
  if (text !== undefined) {
    return Result.succeed(part["thought"] === true ? parseThought(part, text) : toText(part, text))
  }
  if (part["functionCall"] !== undefined) return parseCall(part, path, calls)
  const medium =
    part["thought"] === true
      ? undefined
      : (parseInlineData(part["inlineData"]) ?? parseFileData(part["fileData"]))
  if (medium === undefined) {
    return Result.succeed([{ type: "opaque", dialect: "gemini", raw }])
  }
  const fields = omitFields(part, mediaFields)
  const extra = { ...medium.extra?.fields, ...fields }
  return Result.succeed([
    isEmpty(extra) ? medium : { ...medium, extra: { dialect: "gemini", fields: extra } }
  ])
}

const mediaFields: ReadonlySet<string> = new Set(["inlineData", "fileData", "thought"])

const parseThought = (part: Json, text: string): ReadonlyArray<ReasoningPart> => {
  const value = findText(part, "thoughtSignature") ?? ""
  const signed =
    value === "" || value === uncheckedSignature
      ? { format: googleFormat }
      : parseThoughtSignature(value)
  if (text === "" && value === "") return []
  return [
    {
      type: "reasoning",
      ...signed,
      // An encrypted part has no text of its own.
      ...(text === "" && signed.encrypted !== undefined ? undefined : { text }),
      ...parseExtra(part, textFields)
    }
  ]
}

const textFields: ReadonlySet<string> = new Set(["text", "thought", "thoughtSignature"])

const toText = (part: Json, text: string): ReadonlyArray<Part> => {
  const signature = parseSignature(part["thoughtSignature"])
  return text === "" && signature === undefined
    ? []
    : [
        {
          type: "text",
          text,
          ...(signature === undefined ? undefined : { signature }),
          ...parseExtra(part, textFields)
        }
      ]
}

const parseCall = (
  part: Json,
  path: ReadonlyArray<number | string>,
  { findTool, makeId }: CallReader
): Parsed => {
  const callPath = [...path, "functionCall"]
  if (!isObject(part["functionCall"])) return failTranslation(callPath, "must be an object")
  const call = toCamelCase(part["functionCall"])
  const name = findText(call, "name")
  const args = call["args"] ?? {}
  if (name === undefined) return failTranslation([...callPath, "name"], "must be a string")
  if (!isObject(args)) return failTranslation([...callPath, "args"], "must be an object")
  const id = findText(call, "id")
  const tool = findTool(name)
  const json = JSON.stringify(args)
  const signature = parseSignature(part["thoughtSignature"])
  return Result.succeed([
    {
      type: "call",
      id: id === undefined || id === "" ? makeId(name) : id,
      ...tool,
      arguments: tool.isCustom === true ? getFreeText(json) : json,
      ...(signature === undefined ? undefined : { signature }),
      ...parseExtra(part, callFields)
    }
  ])
}

const callFields: ReadonlySet<string> = new Set(["functionCall", "thoughtSignature"])

/**
 * Clients that read a stream send its pieces back as parts of their own. Google's own signatures stay where they are,
 * because they are for their part only.
 */
export const joinPieces = (parts: ReadonlyArray<unknown>): ReadonlyArray<unknown> => {
  const joined: Array<unknown> = []
  for (const raw of parts) {
    const last = joined.at(-1)
    const next = isObject(raw) ? toCamelCase(raw) : undefined
    if (next !== undefined && isObject(last) && isContinuation(last, next)) {
      // Added, not joined as a list: that would copy what came before with every piece.
      const text = String(last["text"]) + String(next["text"])
      joined[joined.length - 1] = { ...last, ...next, text }
    } else joined.push(next ?? raw)
  }
  return joined
}

const isContinuation = (last: Json, next: Json): boolean =>
  isUnsigned(last) &&
  typeof next["text"] === "string" &&
  last["thought"] === next["thought"] &&
  (isUnsigned(next) ||
    (next["thought"] === true && next["text"] === "" && isWrapped(next["thoughtSignature"])))

const isUnsigned = (part: Json): boolean =>
  typeof part["text"] === "string" && Object.keys(part).every((name) => pieceFields.has(name))

const pieceFields: ReadonlySet<string> = new Set(["text", "thought"])
