/** The arguments of calls as JSON objects, for dialects that have no text of them. */
import type { CallPart } from "../conversation/Part.ts"
import { findJson } from "../values/json/findJson.ts"
import { isObject } from "../values/json/isObject.ts"
import type { RequestChanges } from "./RequestChanges.ts"

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
