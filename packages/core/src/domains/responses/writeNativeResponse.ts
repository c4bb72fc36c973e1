/** Writes the whole answer of a provider with the Responses API as a response of the router. */
import type { Json } from "../../dialects/responses/fields.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import {
  type ResponseEnd,
  type ResponseFacts,
  type ResponseState,
  writeResponseObject
} from "../../dialects/responses/responseObject.ts"
import { setOwn } from "../../values/ownFields.ts"

/** The items, the settings that applied, and everything that only this provider says are its own. */
export const writeNativeResponse = (native: Json, facts: ResponseFacts, end: ResponseEnd): Json => {
  const state: ResponseState = {
    status: native["status"] === "incomplete" ? "incomplete" : "completed",
    output: toList(native["output"]).filter(isObject),
    ...end
  }
  // In place: each copy of so many fields would be most of what writing them costs.
  const response = writeResponseObject(facts, state)
  addDetails(response.usage, native["usage"])
  for (const name in native) {
    const value = native[name]
    // Typed clients take null for few fields.
    if (value !== null && !routersFields.has(name)) setOwn(response, name, value)
  }
  return end.responseFields === undefined ? response : { ...response, ...end.responseFields }
}

/**
 * The provider's further details stay when they cover the whole request, not when attempts were summed. In an
 * implausible report only the capped count is replaced. The provider's cost differs from what is charged here.
 */
const addDetails = (usage: Record<string, unknown> | null, native: unknown): void => {
  if (usage === null || !isObject(native)) return
  const isSame =
    usage["reported"] !== undefined ||
    (usage["input_tokens"] === native["input_tokens"] &&
      usage["output_tokens"] === native["output_tokens"])
  if (!isSame) return
  mergeDetails(usage, native, "input_tokens_details")
  mergeDetails(usage, native, "output_tokens_details")
}

const mergeDetails = (usage: Record<string, unknown>, native: Json, name: string): void => {
  usage[name] = { ...toObject(native[name]), ...toObject(usage[name]) }
}

const toObject = (value: unknown): Json => (isObject(value) ? value : {})

/** Fields that the provider knows otherwise, that only stored responses have, or whose form typed clients check. */
const routersFields: ReadonlySet<string> = new Set([
  "background",
  "completed_at",
  "conversation",
  "created_at",
  "error",
  "id",
  "model",
  "object",
  "openrouter_metadata",
  "output",
  "previous_response_id",
  "provider",
  "service_metadata",
  "status",
  "store",
  "tool_choice",
  "tools",
  "usage",
  "user"
])
