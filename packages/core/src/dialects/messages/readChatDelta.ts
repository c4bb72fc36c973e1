/** What a piece of a streamed chat says, in the order in which Anthropic's API says it. */
import { isObject } from "../../values/json/isObject.ts"
import type { CallPiece, StreamedCalls } from "../StreamedCalls.ts"
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

/** Empty texts say nothing. A refusal is said like any text. */
export const readChatDelta = (delta: Json, calls: StreamedCalls): ReadonlyArray<AnswerPiece> => [
  ...readReasoning(delta),
  ...[delta["content"], delta["refusal"]].flatMap(toTextPiece),
  ...calls
    .read(delta["tool_calls"])
    .map(({ call, text }) => ({ type: "call" as const, call, text }))
]

const toTextPiece = (text: unknown): ReadonlyArray<TextPiece> =>
  typeof text === "string" && text !== "" ? [{ type: "text", text }] : []

/** The details say the reasoning again, unless they have only what is encrypted. */
const readReasoning = ({ reasoning, reasoning_content, reasoning_details }: Json) => {
  const details = Array.isArray(reasoning_details) ? reasoning_details.flatMap(readDetail) : []
  const text = [reasoning, reasoning_content].find(isNonEmptyText)
  return text === undefined ||
    details.some((piece) => piece.type === "thought" && piece.text !== "")
    ? details
    : [toPlainThought(text), ...details]
}

const isNonEmptyText = (value: unknown): value is string =>
  typeof value === "string" && value !== ""

const toPlainThought = (text: string): ThoughtPiece => ({
  type: "thought",
  key: "plain",
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
