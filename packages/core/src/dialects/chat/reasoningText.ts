/** Finds the thought of a model in the fields that servers have for it. */

type Json = Readonly<Record<string, unknown>>

/** The field of the contract, which OpenRouter, Groq and others also write. */
const contractField = "reasoning"

/** The fields of DeepSeek, Moonshot and vLLM, of Copilot, and of gateways. */
const otherFields = ["reasoning_content", "reasoning_text", "thinking"] as const

/** The thoughts in a message or a delta; undefined: none. Servers that say them in two fields say the same. */
export const findReasoningText = (said: Json): string | undefined => {
  const text = said[contractField]
  return isText(text) ? text : findOtherText(said)
}

/** The same beside `reasoning`, where callers look for it; undefined: it is there, or nowhere. */
export const findMissingReasoning = (said: Json): string | undefined =>
  isText(said[contractField]) ? undefined : findOtherText(said)

/** Whether a field of this name has thoughts outside of the contract. */
export const isOtherReasoning = (name: string): boolean =>
  otherFields.some((field) => field === name)

/** Whether a field of this name has thoughts. */
export const isReasoningField = (name: string): boolean =>
  name === contractField || isOtherReasoning(name)

const findOtherText = (said: Json): string | undefined => {
  for (const field of otherFields) {
    const text = said[field]
    if (isText(text)) return text
  }
  return undefined
}

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""
