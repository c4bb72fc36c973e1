/** Parses the tools of a request, and which of them the model calls. */
import type { Tool, ToolChoice } from "../../conversation/Conversation.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { omitFields, type Path, type RequestProblems } from "../UntranslatableRequest.ts"
import { findBoolean, findNonEmptyText, findText, type Json, toExtra } from "./fields.ts"

/** Namespaces are dissolved: each of their functions names its own. */
export const parseTools = (tools: unknown, problems: RequestProblems): ReadonlyArray<Tool> => {
  if (tools === undefined || tools === null) return []
  if (!Array.isArray(tools)) {
    problems.add(["tools"], "must be a list")
    return []
  }
  return tools.flatMap((tool: unknown, index) => {
    if (isObject(tool)) return parseTool(tool, ["tools", index], problems)
    problems.add(["tools", index], "must be an object")
    return []
  })
}

const parseTool = (tool: Json, path: Path, problems: RequestProblems): ReadonlyArray<Tool> => {
  switch (tool["type"]) {
    case "function":
      return [parseFunction(tool, path, problems)]
    case "custom":
      return [parseCustom(tool, path, problems)]
    case "namespace":
      return parseNamespace(tool, path, problems)
    default:
      if (typeof tool["type"] !== "string") problems.add([...path, "type"], "must be a string")
      return [{ type: "server", dialect: "responses", raw: tool }]
  }
}

const parseFunction = (tool: Json, path: Path, problems: RequestProblems) => {
  const { description, parameters, strict } = tool
  if (parameters !== undefined && parameters !== null && !isObject(parameters)) {
    problems.add([...path, "parameters"], "must be an object")
  }
  return {
    type: "function" as const,
    name: requireName(tool, path, problems),
    ...omitUndefined({
      description: findText(description),
      parameters: isObject(parameters) ? parameters : undefined,
      strict: findBoolean(strict)
    }),
    // Left out, it is tried strictly here, and not at all in other dialects.
    ...toExtra({
      ...omitFields(tool, functionNames),
      ...(typeof strict === "boolean" ? undefined : { strict: null })
    })
  }
}

const functionNames: ReadonlySet<string> = new Set([
  "type",
  "name",
  "description",
  "parameters",
  "strict"
])

const parseCustom = (
  tool: Json,
  path: Path,
  problems: RequestProblems,
  namespace?: Json
): Tool => ({
  type: "custom",
  name: requireName(tool, path, problems),
  ...omitUndefined({
    description: findText(tool["description"]),
    format: tool["format"] ?? undefined
  }),
  ...toExtra({
    ...omitFields(tool, customNames),
    ...(namespace === undefined ? undefined : { namespace })
  })
})

const customNames: ReadonlySet<string> = new Set(["type", "name", "description", "format"])

const parseNamespace = (
  { description, name, tools }: Json,
  path: Path,
  problems: RequestProblems
): ReadonlyArray<Tool> => {
  const namespace = {
    name: requireName({ name }, path, problems),
    ...(typeof description === "string" ? { description } : undefined)
  }
  return toList(tools).flatMap((tool, index): ReadonlyArray<Tool> => {
    const toolPath = [...path, "tools", index]
    if (!isObject(tool)) {
      problems.add(toolPath, "must be an object")
      return []
    }
    if (tool["type"] === "custom") return [parseCustom(tool, toolPath, problems, namespace)]
    if (tool["type"] === "function") {
      return [{ ...parseFunction(tool, toolPath, problems), namespace }]
    }
    const raw = { type: "namespace", ...namespace, tools: [tool] }
    return [{ type: "server", dialect: "responses", raw }]
  })
}

const requireName = ({ name }: Json, path: Path, problems: RequestProblems): string => {
  const text = findNonEmptyText(name)
  if (text === undefined) problems.add([...path, "name"], "must be a string")
  return text ?? ""
}

/** The choice of a tool; undefined: the request makes none. */
export const parseToolChoice = (
  choice: unknown,
  problems: RequestProblems
): ToolChoice | undefined => {
  if (choice === undefined || choice === null) return undefined
  if (choice === "auto" || choice === "none" || choice === "required") return { type: choice }
  if (!isObject(choice)) {
    problems.add(["tool_choice"], "must be auto, none, required or a tool")
    return undefined
  }
  const { mode, name, namespace, type } = choice
  if ((type === "function" || type === "custom") && typeof name === "string") {
    return {
      type: "tool",
      name,
      ...(type === "custom" ? { isCustom: true as const } : undefined),
      ...(typeof namespace === "string" ? { namespace } : undefined)
    }
  }
  const allowed = toList(choice["tools"])
  if (type === "allowed_tools" && allowed.every(isNamedTool)) {
    return {
      type: "allowed",
      mode: mode === "required" ? "required" : "auto",
      names: allowed.map((tool) => tool.name)
    }
  }
  return { type: "opaque", dialect: "responses", raw: choice }
}

const isNamedTool = (tool: unknown): tool is { readonly name: string } =>
  isObject(tool) &&
  (tool["type"] === "function" || tool["type"] === "custom") &&
  typeof tool["name"] === "string"
