/** Adds the pieces of a streamed chat to the output of a response. */
import { isObject } from "../../values/json/isObject.ts"
import { StreamedCalls } from "../StreamedCalls.ts"
import { fromChatAnnotations } from "./annotations.ts"
import { findIndex, findNonEmptyText, findText, type Json, toList } from "./fields.ts"
import type { ReasoningPiece, ResponseOutput } from "./ResponseOutput.ts"

export class DeltaReader {
  private readonly output: ResponseOutput
  private readonly calls = new StreamedCalls()
  /** Some providers stream `reasoning` alone and repeat all of it in the details at the end, for its signature. */
  private isPlain = false

  constructor(output: ResponseOutput) {
    this.output = output
  }

  /** Reasoning comes first, then what is said, then the calls. Empty pieces say nothing. */
  read(delta: Json, logprobs: unknown): void {
    this.readReasoning(delta)
    const text = findNonEmptyText(delta["content"])
    const probabilities = isObject(logprobs) ? toList(logprobs["content"]) : []
    if (text !== undefined || probabilities.length > 0) {
      this.output.addText(text ?? "", probabilities)
    }
    const refusal = findNonEmptyText(delta["refusal"])
    if (refusal !== undefined) this.output.addRefusal(refusal)
    this.output.addAnnotations(fromChatAnnotations(delta["annotations"]))
    for (const { call, text } of this.calls.read(delta["tool_calls"])) {
      this.output.addCall(call, text)
    }
  }

  private readReasoning({ reasoning, reasoning_content, reasoning_details }: Json): void {
    const plain = findNonEmptyText(reasoning) ?? findNonEmptyText(reasoning_content)
    const pieces = toList(reasoning_details).flatMap(toReasoningPiece)
    const isTold = pieces.some(({ text }) => text !== undefined && text !== "")
    if (plain !== undefined && !isTold) {
      this.isPlain = true
      this.output.addReasoning({ key: "plain", format: "unknown", text: plain })
    }
    for (const piece of pieces) {
      if (this.isPlain && plain === undefined) this.output.addReasoningSilently(piece)
      else this.output.addReasoning(piece)
    }
  }
}

const toReasoningPiece = (detail: unknown, position: number): ReadonlyArray<ReasoningPiece> => {
  if (!isObject(detail)) return []
  const id = findNonEmptyText(detail["id"])
  const common = {
    key: findIndex(detail["index"]) ?? `position ${position}`,
    // The format of details that name none.
    format: findNonEmptyText(detail["format"]) ?? "anthropic-claude-v1",
    ...(id === undefined ? undefined : { id })
  }
  switch (detail["type"]) {
    case "reasoning.text": {
      const text = findText(detail["text"])
      const signature = findNonEmptyText(detail["signature"])
      return [
        {
          ...common,
          ...(text === undefined ? undefined : { text }),
          ...(signature === undefined ? undefined : { signature })
        }
      ]
    }
    case "reasoning.summary":
      return [{ ...common, isSummary: true, text: findText(detail["summary"]) ?? "" }]
    case "reasoning.encrypted": {
      const encrypted = findNonEmptyText(detail["data"])
      return encrypted === undefined ? [] : [{ ...common, encrypted }]
    }
    default:
      return []
  }
}
