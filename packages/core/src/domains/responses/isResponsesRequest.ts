/** Tells requests of the Responses API from those for embeddings: both have an input. */
import { isObject } from "../../values/json/guards.ts"

/**
 * Undefined for one that would be valid in both APIs: then the model decides.
 */
export const isResponsesRequest = (
  request: Readonly<Record<string, unknown>>
): boolean | undefined => {
  const { input } = request
  if (Array.isArray(input)) return input.some(isItem)
  const has = (name: string) => request[name] !== undefined && request[name] !== null
  if (embeddingFields.some(has)) return false
  return !has("model") || ownFields.some(has) ? true : undefined
}

const isItem = (item: unknown): boolean =>
  isObject(item) && (typeof item["role"] === "string" || typeof item["type"] === "string")

const embeddingFields: ReadonlyArray<string> = ["dimensions", "encoding_format", "input_type"]

const ownFields: ReadonlyArray<string> = [
  "include",
  "instructions",
  "max_output_tokens",
  "metadata",
  "models",
  "parallel_tool_calls",
  "reasoning",
  "store",
  "stream",
  "temperature",
  "text",
  "tool_choice",
  "tools",
  "top_logprobs",
  "top_p",
  "truncation"
]
