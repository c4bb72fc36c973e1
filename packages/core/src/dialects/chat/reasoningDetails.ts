/** Reasoning in the `reasoning_details` of the chat dialect: https://openrouter.ai/docs/use-cases/reasoning-tokens. */
import type { CallPart, Part, ReasoningPart, Signature, TextPart } from "../../conversation/Part.ts"
import { isObject } from "../../values/json/guards.ts"
import { isSigningFormat } from "../reasoningFamily.ts"

type Json = Readonly<Record<string, unknown>>

/** The format of details that name none. */
const defaultFormat = "anthropic-claude-v1"

/** The reasoning of a message. Its unsigned text counts when no detail has a text: some details are only encrypted. */
export const parseReasoning = (
  details: unknown,
  reasoning: string | undefined
): ReadonlyArray<ReasoningPart> => {
  const parsed = Array.isArray(details)
    ? joinAllPieces(details.filter(isObject)).flatMap(parseDetail)
    : []
  return reasoning === undefined || parsed.some(({ text }) => text !== undefined && text !== "")
    ? parsed
    : [{ type: "reasoning", format: "unknown", text: reasoning }, ...parsed]
}

/** Clients may send the pieces of a stream back unjoined; the pieces of one detail share its type and its index. */
const joinAllPieces = (details: ReadonlyArray<Json>): ReadonlyArray<Json> => {
  const joined: Array<Json> = []
  for (const detail of details) {
    const last = joined.at(-1)
    if (last === undefined || !isContinuation(last, detail)) joined.push(detail)
    else joined[joined.length - 1] = joinPieces(last, detail)
  }
  return joined
}

/** A signature is the last piece. */
const isContinuation = (last: Json, next: Json): boolean =>
  typeof next["index"] === "number" &&
  next["index"] === last["index"] &&
  next["type"] === last["type"] &&
  next["type"] !== "reasoning.encrypted" &&
  typeof last["signature"] !== "string" &&
  (next["id"] ?? last["id"]) === (last["id"] ?? next["id"])

/** Joins only the fields that are read: a caller may add other fields to each piece. */
const joinPieces = (last: Json, next: Json): Json => ({
  type: last["type"],
  index: last["index"],
  id: next["id"] ?? last["id"],
  format: next["format"] ?? last["format"],
  signature: next["signature"] ?? last["signature"],
  text: joinTexts(last["text"], next["text"]),
  summary: joinTexts(last["summary"], next["summary"])
})

/** Added, not joined as a list: that would copy what came before with every piece. */
const joinTexts = (before: unknown, after: unknown): unknown => {
  if (typeof after !== "string") return before
  return typeof before === "string" ? before + after : after
}

/** Returns nothing for a detail of an unknown type. */
export const parseDetail = (detail: Json): ReadonlyArray<ReasoningPart> => {
  const { data, format, id, signature, summary, text, type } = detail
  const common = {
    type: "reasoning" as const,
    format: typeof format === "string" ? format : defaultFormat,
    ...(typeof id === "string" ? { id } : undefined)
  }
  switch (type) {
    case "reasoning.text":
      return [
        {
          ...common,
          ...(typeof text === "string" ? { text } : undefined),
          ...(typeof signature === "string" ? { signature } : undefined)
        }
      ]
    case "reasoning.summary":
      return typeof summary === "string" ? [{ ...common, text: summary, isSummary: true }] : []
    case "reasoning.encrypted":
      return typeof data === "string" ? [{ ...common, encrypted: data }] : []
    default:
      return []
  }
}

/** The details of a turn: its reasoning, and the signatures on its calls and texts. */
export const writeReasoningDetails = (parts: ReadonlyArray<Part>): ReadonlyArray<Json> => {
  const details: Array<Json> = []
  for (const part of parts) {
    const reasoning = toReasoning(part)
    if (reasoning !== undefined) details.push(writeReasoningDetail(reasoning, details.length))
  }
  return details
}

/** The reasoning in a part: all of it, or its signature. */
export const toReasoning = (part: Part): ReasoningPart | undefined => {
  if (part.type === "reasoning") return part
  if (part.type === "call") return toSignatureDetail(part.signature, part.id)
  return part.type === "text" ? toSignatureDetail(part.signature) : undefined
}

export const writeReasoningDetail = (
  { encrypted, format, id, isSummary, signature, text }: ReasoningPart,
  index: number
): Json => ({
  ...(encrypted !== undefined && text === undefined
    ? { type: "reasoning.encrypted", data: encrypted }
    : isSummary === true
      ? { type: "reasoning.summary", summary: text ?? "" }
      : {
          type: "reasoning.text",
          ...(text === undefined ? undefined : { text }),
          ...(signature === undefined ? undefined : { signature })
        }),
  ...(id === undefined ? undefined : { id }),
  format,
  index
})

const toSignatureDetail = (
  signature: Signature | undefined,
  id?: string
): ReasoningPart | undefined =>
  signature === undefined
    ? undefined
    : {
        type: "reasoning",
        format: signature.format,
        encrypted: signature.value,
        ...(id === undefined ? undefined : { id })
      }

/**
 * Google signs calls and texts, and so does any provider of the AI SDK. An encrypted detail with the id of a call is
 * the signature of that call. One without an id is the signature of the last text.
 */
export const attachSignatures = (parts: ReadonlyArray<Part>): ReadonlyArray<Part> => {
  if (!parts.some(isSignature)) return parts
  const onCalls = new Map<string, Signature>()
  let onText: Signature | undefined
  const kept = parts.filter((part) => {
    if (!isSignature(part)) return true
    const signature = { format: part.format, value: part.encrypted }
    if (part.id === undefined) onText = signature
    else onCalls.set(part.id, signature)
    return false
  })
  const lastText = kept.findLastIndex(({ type }) => type === "text")
  const signed = kept.map((part, at): Part => {
    if (part.type === "call") return withSignature(part, onCalls.get(part.id))
    return part.type === "text" && at === lastText ? withSignature(part, onText) : part
  })
  // A signature without a text of its own still goes back.
  return onText !== undefined && lastText === -1
    ? [...signed, { type: "text", text: "", signature: onText }]
    : signed
}

const isSignature = (part: Part): part is ReasoningPart & { readonly encrypted: string } =>
  part.type === "reasoning" && part.encrypted !== undefined && isSigningFormat(part.format)

const withSignature = <P extends CallPart | TextPart>(
  part: P,
  signature: Signature | undefined
): P => (signature === undefined ? part : { ...part, signature })
