/** Parses the tools of a request to Anthropic's API. */
import * as Result from "effect/Result"
import type { Conversation, Tool, ToolChoice } from "../../conversation/Conversation.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import {
  failTranslation,
  findField,
  findText,
  readList,
  readObject,
  type RequestProblems,
  type UntranslatableRequest
} from "../UntranslatableRequest.ts"
import { parseExtra } from "./messagesFields.ts"

type Json = Readonly<Record<string, unknown>>
type Parsed<A> = Result.Result<A, UntranslatableRequest>

/** A tool with a dated type is the provider's; its schema is not in the request. */
export const parseMessagesTools = (body: Json, problems: RequestProblems): ReadonlyArray<Tool> => {
  const list = problems.take(readList(body, "tools"))
  if (list === undefined) return []
  return list.flatMap((tool, index) => problems.take(parseTool(tool, ["tools", index])) ?? [])
}

const parseTool = (tool: unknown, path: ReadonlyArray<number | string>): Parsed<Tool> => {
  if (!isObject(tool)) return failTranslation(path, "must be an object")
  const type = findText(tool, "type")
  if (type !== undefined && type !== "custom") {
    return Result.succeed({ type: "server", dialect: "messages", raw: tool })
  }
  const name = findText(tool, "name")
  if (name === undefined) return failTranslation([...path, "name"], "must be a string")
  const parameters = findField(tool, "input_schema")
  const strict = findField(tool, "strict")
  return Result.succeed({
    type: "function",
    name,
    ...omitUndefined({
      description: findText(tool, "description"),
      parameters: isObject(parameters) ? parameters : undefined,
      strict: typeof strict === "boolean" ? strict : undefined
    }),
    ...parseExtra(tool, toolFields)
  })
}

const toolFields: ReadonlySet<string> = new Set([
  "type",
  "name",
  "description",
  "input_schema",
  "strict"
])

export const parseMessagesToolChoice = (
  body: Json,
  problems: RequestProblems
): Pick<Conversation, "parallelCalls" | "toolChoice"> | undefined => {
  const choice = problems.take(readObject(body, "tool_choice"))
  return choice === undefined
    ? undefined
    : {
        toolChoice: toToolChoice(choice),
        ...(choice["disable_parallel_tool_use"] === true ? { parallelCalls: false } : undefined)
      }
}

const toToolChoice = (choice: Json): ToolChoice => {
  const name = findText(choice, "name")
  switch (choice["type"]) {
    case "auto":
    case "none":
      return { type: choice["type"] }
    case "any":
      return { type: "required" }
    case "tool":
      return name === undefined ? toOpaque(choice) : { type: "tool", name }
    default:
      return toOpaque(choice)
  }
}

const toOpaque = (raw: Json): ToolChoice => ({ type: "opaque", dialect: "messages", raw })
