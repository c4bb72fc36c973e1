/** Finds what only providers with the Responses API can serve. */
import { isObject, toList } from "../../values/json/guards.ts"

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

/** Few requests have many; of those the first are named. */
const maxLost = 64

/** Lists paths such as `input.3` of items that the provider ran, and `tools.1` of tools that it should run. */
export const listLostItems = ({
  input,
  tools
}: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  const items = listPlaces("input", input, isProvidersItem)
  const others = listPlaces("tools", tools, isProvidersTool)
  if (others.length === 0) return items
  return [...items, ...others].slice(0, maxLost)
}

const listPlaces = (
  name: string,
  list: unknown,
  isLost: (item: Readonly<Record<string, unknown>>) => boolean
): ReadonlyArray<string> => {
  let places: Array<string> | undefined
  if (!Array.isArray(list)) return none
  for (let index = 0; index < list.length; index++) {
    const item: unknown = list[index]
    if (!isObject(item) || !isLost(item)) continue
    if ((places ??= []).length < maxLost) places.push(`${name}.${index}`)
  }
  return places ?? none
}

const none: ReadonlyArray<string> = []

const isProvidersItem = ({ type }: Readonly<Record<string, unknown>>): boolean =>
  isProvidersCall(type)

const isProvidersTool = ({ type }: Readonly<Record<string, unknown>>): boolean =>
  !callersTools.has(type)

/**
 * Whether an item is a call of a tool that the provider runs. The caller's replies to it, such as an output, must not
 * be lost.
 */
const isProvidersCall = (type: unknown): boolean =>
  typeof type === "string" &&
  type !== "function_call" &&
  type !== "custom_tool_call" &&
  (type.endsWith("_call") || type.startsWith("openrouter:") || type === "mcp_list_tools")

const callersTools: ReadonlySet<unknown> = new Set(["custom", "function", "namespace"])
