/** Finds whose reasoning the messages of a chat hold. */
import { getReasoningFamily, type ReasoningFamily } from "../reasoningFamily.ts"
import { parseReasoning } from "./reasoningDetails.ts"

/** The reasoning of earlier answers, which only the provider that wrote it can read. */
export interface ReasoningFamilies {
  /** All of them; `unknown` for reasoning that names no provider. Absent: the messages hold no reasoning. */
  readonly reasoningFamilies?: ReadonlyArray<ReasoningFamily>
  /** The family that signed the last answer. Absent: nobody. */
  readonly signedBy?: ReasoningFamily
}

export const findReasoningFamilies = (
  messages: ReadonlyArray<Readonly<Record<string, unknown>>>
): ReasoningFamilies => {
  let families: Set<ReasoningFamily> | undefined
  let signedBy: ReasoningFamily | undefined
  for (const { reasoning_details: details, role } of messages) {
    if (role !== "assistant") continue
    signedBy = undefined
    if (!Array.isArray(details)) continue
    for (const { encrypted, format, signature } of parseReasoning(details, undefined)) {
      const family = getReasoningFamily(format)
      families ??= new Set()
      families.add(family ?? "unknown")
      if (isSignature(encrypted) || isSignature(signature)) signedBy = family
    }
  }
  return families === undefined
    ? none
    : {
        reasoningFamilies: Array.from(families),
        ...(signedBy === undefined ? undefined : { signedBy })
      }
}

const isSignature = (value: string | undefined): boolean => value !== undefined && value !== ""

const none: ReasoningFamilies = {}
