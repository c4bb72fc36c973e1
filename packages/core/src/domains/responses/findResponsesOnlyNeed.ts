/** Finds what only providers with the Responses API can serve. */
import { isObject, toList } from "../../values/json/guards.ts"
import { callersTools, isProvidersCall } from "./listLostItems.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * Where the request has it, such as `tool_choice`; undefined: other providers can serve it, too. Tools that the provider
 * runs are left out elsewhere, with their earlier calls, unless the model must use one.
 */
export const findResponsesOnlyNeed = (request: Json): string | undefined =>
  findInputNeed(request["input"]) ?? findChoiceNeed(request) ?? findFormatNeed(request["text"])

const findInputNeed = (input: unknown): string | undefined => {
  for (const [index, item] of toList(input).entries()) {
    if (!isObject(item)) continue
    const path = `input.${index}`
    const type = item["type"] ?? "message"
    if (!knownItems.has(type) && !isProvidersCall(type)) return path
    for (const name of ["content", "output"]) {
      const at = toList(item[name]).findIndex((part) => isObject(part) && isPartNeeded(part, type))
      if (at !== -1) return `${path}.${name}.${at}`
    }
  }
  return undefined
}

const knownItems: ReadonlySet<unknown> = new Set([
  "message",
  "function_call",
  "function_call_output",
  "custom_tool_call",
  "custom_tool_call_output",
  "reasoning",
  "item_reference"
])

const isPartNeeded = (part: Json, itemType: unknown): boolean => {
  if (itemType === "reasoning" || !knownItems.has(itemType)) return false
  // Files are stored at the provider.
  const isStored = typeof part["file_id"] === "string" && part["file_id"] !== ""
  const isGiven = ["image_url", "file_data", "file_url"].some(
    (name) => typeof part[name] === "string"
  )
  return (isStored && !isGiven) || !knownParts.has(part["type"])
}

const knownParts: ReadonlySet<unknown> = new Set([
  "input_audio",
  "input_file",
  "input_image",
  "input_text",
  "input_video",
  "output_text",
  "refusal",
  "text"
])

const findChoiceNeed = ({ tool_choice: choice, tools }: Json): string | undefined => {
  if (choice === "required") {
    const given = toList(tools).filter(isObject)
    return given.length > 0 && given.every(({ type }) => !callersTools.has(type))
      ? "tool_choice"
      : undefined
  }
  if (!isObject(choice)) return undefined
  const chosen = choice["type"] === "allowed_tools" ? toList(choice["tools"]) : [choice]
  return chosen.every((tool) => isObject(tool) && callersTools.has(tool["type"]))
    ? undefined
    : "tool_choice"
}

const findFormatNeed = (text: unknown): string | undefined => {
  const format = isObject(text) ? text["format"] : undefined
  return isObject(format) && !knownFormats.has(format["type"]) ? "text.format" : undefined
}

const knownFormats: ReadonlySet<unknown> = new Set(["json_object", "json_schema", "text"])
