/** What a piece of a streamed chat says, in the order in which Anthropic's API says it. */
import { isObject } from "../../values/json/isObject.ts"
import { type CallPiece, StreamedCalls } from "../StreamedCalls.ts"
import { anthropicFormat } from "./thinkingBlocks.ts"

type Json = Readonly<Record<string, unknown>>

/** A piece of reasoning; pieces with the same key belong together. */
export interface ThoughtPiece {
  readonly type: "thought"
  readonly key: string
  readonly format: string
  readonly text: string
  readonly isSummary: boolean
  readonly id?: string
  readonly signature?: string
}

export interface EncryptedPiece {
  readonly type: "encrypted"
  readonly key: string
  readonly format: string
  readonly encrypted: string
  readonly id?: string
}

export interface TextPiece {
  readonly type: "text"
  readonly text: string
}

export type AnswerPiece =
  | EncryptedPiece
  | TextPiece
  | ThoughtPiece
  | (CallPiece & { readonly type: "call" })

/** Reads the deltas of one stream. */
export class ChatDeltaReader {
  private readonly calls = new StreamedCalls()
  /** Some providers stream `reasoning` alone and repeat all of it in the details at the end, for its signature. */
  private isPlain = false

  /** Empty texts say nothing. A refusal is said like any text. */
  read(delta: Json): ReadonlyArray<AnswerPiece> {
    return [
      ...this.readReasoning(delta),
      ...[delta["content"], delta["refusal"]].flatMap(toTextPiece),
      ...this.calls
        .read(delta["tool_calls"])
        .map(({ call, text }) => ({ type: "call" as const, call, text }))
    ]
  }

  /** The details say the reasoning again, unless they have only what is encrypted. */
  private readReasoning({
    reasoning,
    reasoning_content,
    reasoning_details
  }: Json): ReadonlyArray<EncryptedPiece | ThoughtPiece> {
    const details = Array.isArray(reasoning_details) ? reasoning_details.flatMap(readDetail) : []
    const text = [reasoning, reasoning_content].find(isNonEmptyText)
    if (text === undefined) return this.isPlain ? details.flatMap(toRepeatedPiece) : details
    if (details.some((piece) => piece.type === "thought" && piece.text !== "")) return details
    this.isPlain = true
    return [toPlainThought(text), ...details]
  }
}

/** Its text has been said; what else it says belongs to that. */
const toRepeatedPiece = (
  piece: EncryptedPiece | ThoughtPiece
): ReadonlyArray<EncryptedPiece | ThoughtPiece> => {
  if (piece.type === "encrypted") return [piece]
  return piece.signature === undefined ? [] : [{ ...piece, key: plainKey, text: "" }]
}

const toTextPiece = (text: unknown): ReadonlyArray<TextPiece> =>
  typeof text === "string" && text !== "" ? [{ type: "text", text }] : []

const isNonEmptyText = (value: unknown): value is string =>
  typeof value === "string" && value !== ""

const plainKey = "plain"

const toPlainThought = (text: string): ThoughtPiece => ({
  type: "thought",
  key: plainKey,
  format: "unknown",
  text,
  isSummary: false
})

const readDetail = (detail: unknown): ReadonlyArray<EncryptedPiece | ThoughtPiece> => {
  if (!isObject(detail)) return []
  const { data, format, id, index, signature, summary, type } = detail
  const common = {
    key: typeof index === "number" ? `index ${index}` : `id ${String(id)}`,
    format: typeof format === "string" ? format : anthropicFormat,
    ...(isNonEmptyText(id) ? { id } : undefined)
  }
  if (type === "reasoning.encrypted") {
    return isNonEmptyText(data) ? [{ type: "encrypted", ...common, encrypted: data }] : []
  }
  if (type !== "reasoning.text" && type !== "reasoning.summary") return []
  const text = type === "reasoning.text" ? detail["text"] : summary
  return isNonEmptyText(text) || isNonEmptyText(signature)
    ? [
        {
          type: "thought",
          ...common,
          text: isNonEmptyText(text) ? text : "",
          isSummary: type === "reasoning.summary",
          ...(isNonEmptyText(signature) ? { signature } : undefined)
        }
      ]
    : []
}
