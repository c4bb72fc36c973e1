/** Finds the fields of a message of OpenAI's chat dialect, or of a delta, that the neutral form has no place for. */
import { isReasoningField } from "./reasoningText.ts"
import { setOwn } from "../../values/ownFields.ts"

type Json = Readonly<Record<string, unknown>>

/** Fields that are read elsewhere. */
const knownFields: ReadonlySet<string> = new Set([
  "annotations",
  "content",
  "extra_content",
  "function_call",
  "images",
  "media",
  "name",
  "reasoning_details",
  "refusal",
  "role",
  "thinking_blocks",
  "tool_calls"
])

/** Finds the fields that no other part of the answer holds; undefined: there are none with a value. */
export const findOtherFields = (said: Json): Json | undefined => {
  let others: Record<string, unknown> | undefined
  for (const name of Object.keys(said)) {
    const value = said[name]
    if (knownFields.has(name) || isReasoningField(name) || isNothing(value)) continue
    setOwn((others ??= {}), name, value)
  }
  return others
}

const isNothing = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === "" ||
  (Array.isArray(value) && value.length === 0)
