/** Fits the choice among the tools of a chat to the server that gets them. */
import { isObject, toList } from "../../values/json/guards.ts"
import { replaceFields } from "../replaceFields.ts"
import type { RequestChanges } from "../RequestChanges.ts"
import type { ChatServerModel } from "./ChatServerModel.ts"

type Parameters = Readonly<Record<string, unknown>>

/** The schemas of functions as the server takes them. */
export const fitSchemas = (
  parameters: Parameters,
  { fitSchema }: ChatServerModel,
  changes: RequestChanges
): Parameters => {
  const { tools } = parameters
  if (fitSchema === undefined || !Array.isArray(tools)) return parameters
  const fitted = tools.map((tool: unknown, at): unknown => {
    const called = isObject(tool) ? tool["function"] : undefined
    if (!isObject(tool) || !isObject(called) || !isObject(called["parameters"])) return tool
    const schema = fitSchema(called["parameters"])
    if (schema === called["parameters"]) return tool
    changes.add(["tools", at])
    return { ...tool, function: { ...called, parameters: schema } }
  })
  return fitted.some((tool, at) => tool !== tools[at])
    ? replaceFields(parameters, { tools: fitted })
    : parameters
}

/** A choice that the server does not know becomes one of fewer tools, which says the same. */
export const fitTools = (
  parameters: Parameters,
  { takesAllowedTools, takesNamedTool }: ChatServerModel,
  changes: RequestChanges
): Parameters => {
  const { tool_choice: choice, tools } = parameters
  if (!isObject(choice) || !Array.isArray(tools)) return parameters
  const { allowed_tools: allowed, type } = choice
  if (type === "allowed_tools" && takesAllowedTools !== true && isObject(allowed)) {
    const mode = allowed["mode"] === "required" ? "required" : "auto"
    return offer(parameters, toList(allowed["tools"]), mode, changes)
  }
  return takesNamedTool === false && findName(choice) !== undefined
    ? offer(parameters, [choice], "required", changes)
    : parameters
}

const offer = (
  parameters: Parameters,
  chosen: ReadonlyArray<unknown>,
  mode: string,
  changes: RequestChanges
): Parameters => {
  const names = new Set(chosen.map(findName))
  changes.add(["tool_choice"])
  return replaceFields(parameters, {
    tool_choice: mode,
    tools: toList(parameters["tools"]).filter((tool) => names.has(findName(tool)))
  })
}

const findName = (tool: unknown): unknown => {
  if (!isObject(tool)) return undefined
  const { custom, function: called } = tool
  return isObject(called) ? called["name"] : isObject(custom) ? custom["name"] : undefined
}
