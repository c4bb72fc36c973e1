/** Parses the tools of a request in OpenAI's chat dialect. */
import type { Tool, ToolChoice } from "../../conversation/Conversation.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { parseCacheMark } from "./parseContent.ts"

type Json = Readonly<Record<string, unknown>>

/** Functions in the form that predates tools are functions too. */
export const parseTools = (tools: unknown, functions: unknown): ReadonlyArray<Tool> => {
  const parsed: Array<Tool> = []
  for (const tool of toList(tools)) if (isObject(tool)) parsed.push(parseTool(tool))
  for (const declared of toList(functions)) {
    if (isObject(declared)) parsed.push(parseFunction(declared, {}))
  }
  return parsed
}

const parseTool = (tool: Json): Tool => {
  const { custom, function: declared, type } = tool
  if (isObject(declared)) return parseFunction(declared, tool)
  if (type === "custom" && isObject(custom)) {
    return {
      type: "custom",
      name: toText(custom["name"]),
      ...omitUndefined({ description: findText(custom["description"]), format: custom["format"] })
    }
  }
  return { type: "server", dialect: "chat", raw: tool }
}

const parseFunction = (declared: Json, { cache_control }: Json): Tool => {
  const { description, name, parameters, strict } = declared
  return {
    type: "function",
    name: toText(name),
    ...omitUndefined({
      description: findText(description),
      parameters: isObject(parameters) ? parameters : undefined,
      strict: typeof strict === "boolean" ? strict : undefined,
      cache: parseCacheMark(cache_control)
    })
  }
}

/** The choice of a tool; undefined: the request makes none. */
export const parseToolChoice = (choice: unknown): ToolChoice | undefined => {
  if (choice === "auto" || choice === "none" || choice === "required") return { type: choice }
  if (!isObject(choice)) return undefined
  const { allowed_tools: allowed, custom, function: chosen } = choice
  if (isObject(chosen)) return { type: "tool", name: toText(chosen["name"]) }
  if (isObject(custom)) return { type: "tool", name: toText(custom["name"]), isCustom: true }
  if (isObject(allowed) && Array.isArray(allowed["tools"])) {
    return {
      type: "allowed",
      mode: allowed["mode"] === "required" ? "required" : "auto",
      names: allowed["tools"].flatMap(getToolName)
    }
  }
  return { type: "opaque", dialect: "chat", raw: choice }
}

const getToolName = (tool: unknown): ReadonlyArray<string> => {
  if (!isObject(tool)) return []
  const declared = tool["function"] ?? tool["custom"] ?? tool
  return isObject(declared) && typeof declared["name"] === "string" ? [declared["name"]] : []
}

const toText = (value: unknown): string => findText(value) ?? ""

const findText = (value: unknown): string | undefined =>
  typeof value === "string" ? value : undefined
