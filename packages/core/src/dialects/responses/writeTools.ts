/** Writes the tools of a request, and which of them the model calls. */
import type { CustomTool, FunctionTool, Tool, ToolChoice } from "../../conversation/Conversation.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import type { ToolNames } from "../ToolNames.ts"
import { findText, getExtraFields, type Json } from "./fields.ts"

/** Functions of one namespace are put together again. Tools that providers of other APIs run are left out. */
export const writeTools = (tools: ReadonlyArray<Tool>, names: ToolNames): ReadonlyArray<Json> => {
  const written: Array<Json> = []
  const members = new Map<string, Array<Json>>()
  for (const tool of tools) {
    if (tool.type === "server") {
      if (tool.dialect === "responses") written.push(tool.raw)
      continue
    }
    const json = tool.type === "custom" ? writeCustom(tool, names) : writeFunction(tool, names)
    const namespace = findNamespace(tool)
    if (namespace === undefined) {
      written.push(json)
      continue
    }
    const { description, name } = namespace
    const key = JSON.stringify([name, description])
    const known = members.get(key)
    if (known === undefined) {
      const tools = [json]
      members.set(key, tools)
      written.push({ type: "namespace", name, description: description ?? "", tools })
    } else known.push(json)
  }
  return written
}

const findNamespace = (
  tool: CustomTool | FunctionTool
): { readonly name: string; readonly description?: string } | undefined => {
  if (tool.type === "function") return tool.namespace
  const { namespace } = getExtraFields(tool)
  if (!isObject(namespace)) return undefined
  const name = findText(namespace["name"])
  const description = findText(namespace["description"])
  return name === undefined
    ? undefined
    : { name, ...(description === undefined ? undefined : { description }) }
}

/** Without `strict`, this API tries to be strict, which the caller did not ask for. */
const writeFunction = (tool: FunctionTool, names: ToolNames): Json => ({
  type: "function",
  name: names.toDialect({ name: tool.name }),
  ...(tool.description === undefined ? undefined : { description: tool.description }),
  parameters: tool.parameters ?? null,
  strict: tool.strict ?? false,
  ...getExtraFields(tool)
})

const writeCustom = (tool: CustomTool, names: ToolNames): Json => {
  const { namespace: _, ...fields } = getExtraFields(tool)
  return {
    type: "custom",
    name: names.toDialect({ name: tool.name }),
    ...omitUndefined({ description: tool.description, format: flattenFormat(tool.format) }),
    ...fields
  }
}

/** Chat has the grammar in an object of its own. */
const flattenFormat = (format: unknown): unknown => {
  if (!isObject(format) || !isObject(format["grammar"])) return format
  return { type: "grammar", ...format["grammar"] }
}

export const writeToolChoice = (
  choice: ToolChoice | undefined,
  tools: ReadonlyArray<Tool>,
  names: ToolNames
): unknown => {
  switch (choice?.type) {
    case undefined:
      return undefined
    case "auto":
    case "none":
    case "required":
      return choice.type
    case "tool":
      return {
        type: choice.isCustom === true ? "custom" : "function",
        name: names.toDialect({ name: choice.name }),
        ...(choice.namespace === undefined ? undefined : { namespace: choice.namespace })
      }
    case "allowed": {
      const custom = new Set(tools.flatMap((tool) => (tool.type === "custom" ? [tool.name] : [])))
      return {
        type: "allowed_tools",
        mode: choice.mode,
        tools: choice.names.map((name) => ({
          type: custom.has(name) ? "custom" : "function",
          name: names.toDialect({ name })
        }))
      }
    }
    case "opaque":
      return choice.dialect === "responses" ? choice.raw : undefined
  }
}
