/** Finds whose reasoning the messages of a chat hold. */
import type { Turn } from "../../conversation/Conversation.ts"
import type { ReasoningPart } from "../../conversation/Part.ts"
import { type ReasoningFamily, getReasoningFamily } from "../reasoningFamily.ts"
import { parseReasoning, toReasoning } from "./reasoningDetails.ts"
import { findDetails } from "./thinkingBlocks.ts"

/** The reasoning of earlier answers, which only the provider that wrote it can read. */
export interface ReasoningFamilies {
  /** All of them; `unknown` for reasoning that names no provider. Absent: the messages hold no reasoning. */
  readonly reasoningFamilies?: ReadonlyArray<ReasoningFamily>
  /** The family that signed the last answer. Absent: the last answer has no signature. */
  readonly signedBy?: ReasoningFamily
}

/** Finds the families in the messages of a chat. */
export const findReasoningFamilies = (
  messages: ReadonlyArray<Readonly<Record<string, unknown>>>
): ReasoningFamilies => {
  let found: FamilyCollector | undefined
  for (const message of messages) {
    if (message["role"] !== "assistant") continue
    found?.beginAnswer()
    const details = findDetails(message)
    if (!Array.isArray(details)) continue
    for (const part of parseReasoning(details, undefined))
      (found ??= new FamilyCollector()).add(part)
  }
  return found?.list() ?? none
}

/** Finds the families in the turns of a conversation. */
export const findTurnFamilies = (turns: ReadonlyArray<Turn>): ReasoningFamilies => {
  let found: FamilyCollector | undefined
  for (let at = 0; at < turns.length; at++) {
    const { parts, role } = turns[at]!
    if (role !== "assistant") continue
    found?.beginAnswer()
    for (const part of parts) {
      const reasoning = toReasoning(part)
      if (reasoning !== undefined) (found ??= new FamilyCollector()).add(reasoning)
    }
  }
  return found?.list() ?? none
}

class FamilyCollector {
  readonly #families = new Set<ReasoningFamily>()
  #signedBy: ReasoningFamily | undefined

  beginAnswer(): void {
    this.#signedBy = undefined
  }

  add({ encrypted, format, signature }: ReasoningPart): void {
    const family = getReasoningFamily(format)
    this.#families.add(family ?? "unknown")
    if (isSignature(encrypted) || isSignature(signature)) this.#signedBy = family
  }

  list(): ReasoningFamilies {
    const signedBy = this.#signedBy
    return {
      reasoningFamilies: Array.from(this.#families),
      ...(signedBy === undefined ? undefined : { signedBy })
    }
  }
}

const isSignature = (value: string | undefined): boolean => value !== undefined && value !== ""

const none: ReasoningFamilies = {}
