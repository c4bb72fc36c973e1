/** The tools of a request, as the calls of its answer name them. */
import type { Tool } from "../conversation/Conversation.ts"
import type { CallPart } from "../conversation/Part.ts"
import { findJson } from "../values/json/findJson.ts"
import { isObject } from "../values/json/isObject.ts"
import { commonNames, makeToolNames, type NameRules } from "./ToolNames.ts"

/** A tool by the name that the caller gave it. */
export type CalledTool = Pick<CallPart, "isCustom" | "name" | "namespace">

/** Finds the tool of a call. A name that is not in the request is returned unchanged. */
export type ToolFinder = (written: string) => CalledTool

/** `rules`: those by which the request named its tools. */
export const makeToolFinder = (
  tools: ReadonlyArray<Tool>,
  rules: NameRules = commonNames
): ToolFinder => {
  if (tools.length === 0) return (name) => ({ name })
  const names = makeToolNames(tools, rules)
  const custom = new Set(tools.flatMap((tool) => (tool.type === "custom" ? [tool.name] : [])))
  return (written) => {
    const tool = names.fromDialect(written)
    return tool.namespace === undefined && custom.has(tool.name)
      ? { ...tool, isCustom: true }
      : tool
  }
}

/** The free text in the JSON input of a tool of free text. The JSON itself when it was cut or has no free text. */
export const getFreeText = (input: string): string => {
  const json = findJson(input)
  return isObject(json) && typeof json["input"] === "string" ? json["input"] : input
}

/** The parameters of such a tool where a dialect has only functions. */
export const freeTextSchema = {
  type: "object",
  properties: { input: { type: "string" } },
  required: ["input"]
}
