/** Writes the whole answer of a provider with the Responses API as a response of the router. */
import { type Json, toList } from "../dialects/responses/fields.ts"
import {
  type ResponseEnd,
  type ResponseFacts,
  type ResponseState,
  writeResponseObject
} from "../dialects/responses/responseObject.ts"
import { isObject } from "../values/json/isObject.ts"
import { setOwn } from "../values/setOwn.ts"

/** The items, the settings that applied, and everything that only this provider says are its own. */
export const writeNativeResponse = (native: Json, facts: ResponseFacts, end: ResponseEnd): Json => {
  const state: ResponseState = {
    status: native["status"] === "incomplete" ? "incomplete" : "completed",
    output: toList(native["output"]).filter(isObject),
    ...end
  }
  const own = writeResponseObject(facts, state)
  const response: Record<string, unknown> = {
    ...own,
    usage: addDetails(own["usage"], native["usage"])
  }
  for (const name of Object.keys(native)) {
    const value = native[name]
    // Typed clients take null for few fields.
    if (value !== null && !routersFields.has(name)) setOwn(response, name, value)
  }
  return { ...response, ...end.responseFields }
}

/**
 * Further details of the provider stay when they are those of the whole request: not when attempts were summed, or an
 * implausible count was capped. Its cost is not what is charged here.
 */
const addDetails = (usage: unknown, native: unknown): unknown => {
  if (!isObject(usage) || !isObject(native)) return usage
  const isSame = ["input_tokens", "output_tokens"].every((name) => usage[name] === native[name])
  if (!isSame) return usage
  const merge = (name: string) => ({
    [name]: { ...toObject(native[name]), ...toObject(usage[name]) }
  })
  return { ...usage, ...merge("input_tokens_details"), ...merge("output_tokens_details") }
}

const toObject = (value: unknown): Json => (isObject(value) ? value : {})

/** Those of which the provider knows another, that only stored responses have, or whose form typed clients check. */
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
