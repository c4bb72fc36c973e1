/** The tools of a request, as the calls of its answer name them. */
import type { Tool } from "../conversation/Conversation.ts"
import type { CallPart } from "../conversation/Part.ts"
import { findJson, isObject } from "../values/json/guards.ts"
import type { RequestChanges } from "./RequestChanges.ts"
import { type NameRules, commonNames, makeToolNames } from "./ToolNames.ts"

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

type Arguments = Pick<CallPart, "arguments" | "isCustom">

/** A tool of free text is a function with one argument. Undefined when the arguments are not JSON. */
export const parseArguments = ({ arguments: text, isCustom }: Arguments): unknown => {
  if (isCustom === true) return { input: text }
  return text.trim() === "" ? {} : findJson(text)
}

/**
 * Clients require an object. Arguments that are not an object, or that the cap cut off, stay readable under a name that
 * no tool has, so that the tool refuses the call instead of running with half of its arguments.
 */
export const writeArguments = (call: Arguments): Readonly<Record<string, unknown>> => {
  const input = parseArguments(call)
  return isObject(input) ? input : { invalid_arguments: call.arguments }
}

/** The same for the history of a request: the place of arguments that are no JSON object is added to `changes`. */
export const writePastArguments = (
  call: Pick<CallPart, "arguments" | "id" | "isCustom">,
  changes: RequestChanges
): Readonly<Record<string, unknown>> => {
  const input = parseArguments(call)
  if (isObject(input)) return input
  changes.add(["tool_calls", call.id, "arguments"])
  return writeArguments(call)
}
