/**
 * Repairs answers of servers with the Responses API to match the API's specification: some translate the answers of
 * others, with mistakes.
 */
import { isObject } from "../../values/json/guards.ts"
import { readCallFields, toObjectText } from "../chat/callFields.ts"
import type { Json } from "./fields.ts"

/** A response, or an event of a stream: calls have ids and the text of their arguments, and content is a list. The same object if so. */
export const repairItems = (json: Json): Json => {
  const { item, output, response } = json
  if (isObject(item)) return replace(json, "item", item, repairItem(item))
  if (isObject(response)) return replace(json, "response", response, repairItems(response))
  if (!Array.isArray(output)) return json
  return output.some((each) => isObject(each) && repairItem(each) !== each)
    ? { ...json, output: output.map((each) => (isObject(each) ? repairItem(each) : each)) }
    : json
}

const replace = (json: Json, name: string, before: Json, after: Json): Json =>
  before === after ? json : { ...json, [name]: after }

const repairItem = (item: Json): Json => {
  const { arguments: given, call_id: callId, content, id, type } = item
  if (type === "message" && typeof content === "string") {
    const text = { type: "output_text", text: content, annotations: [], logprobs: [] }
    return { ...item, content: [text] }
  }
  if (type !== "function_call") return item
  const hasId = typeof callId === "string" && callId !== ""
  if (hasId && typeof given === "string") return item
  return {
    ...item,
    ...(hasId ? undefined : { call_id: id }),
    ...(typeof given === "string"
      ? undefined
      : { arguments: toObjectText(readCallFields(item).text) })
  }
}
