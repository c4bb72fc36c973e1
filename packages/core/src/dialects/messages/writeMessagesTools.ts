/** Writes the tools of a conversation for Anthropic's API. */
import * as Result from "effect/Result"
import type { Conversation, Tool, ToolChoice, Turn } from "../../conversation/Conversation.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { freeTextSchema } from "../CalledTool.ts"
import { joinBranches } from "../joinBranches.ts"
import { type UntranslatableRequest, failTranslation } from "../UntranslatableRequest.ts"
import type { RequestChanges } from "../RequestChanges.ts"
import { restrictSchema } from "./restrictSchema.ts"
import { type ToolNames, toToolName } from "../ToolNames.ts"
import { getExtraFields, writeCacheMark } from "./messagesFields.ts"

type Json = Readonly<Record<string, unknown>>
type Written<A> = Result.Result<A, UntranslatableRequest>

interface ToolOptions {
  readonly changes: RequestChanges
  /** Whether the schemas of strict tools are within what the API takes. */
  readonly restrictsStrict: boolean
}

/** If only some tools are allowed, only those are sent: the API has no such choice. */
export const writeMessagesTools = (
  { toolChoice, tools }: Pick<Conversation, "toolChoice" | "tools">,
  names: ToolNames,
  options: ToolOptions
): Written<ReadonlyArray<Json>> => {
  const allowed = toolChoice?.type === "allowed" ? new Set(toolChoice.names) : undefined
  const written: Array<Json> = []
  for (const [index, tool] of tools.entries()) {
    if (allowed !== undefined && !(tool.type !== "server" && allowed.has(tool.name))) continue
    const each = writeTool(tool, names, index, options)
    if (Result.isFailure(each)) return Result.fail(each.failure)
    written.push(each.success)
  }
  return Result.succeed(written)
}

const writeTool = (
  tool: Tool,
  names: ToolNames,
  index: number,
  { changes, restrictsStrict }: ToolOptions
): Written<Json> => {
  switch (tool.type) {
    case "server":
      return tool.dialect === "messages"
        ? Result.succeed(tool.raw)
        : failTranslation(
            ["tools", index],
            `the tool "${String(tool.raw["type"])}" is not one of this provider's API`
          )
    case "custom":
      return Result.succeed({
        name: names.toDialect({ name: tool.name }),
        ...omitUndefined({ description: tool.description }),
        input_schema: freeTextSchema
      })
    case "function":
      return Result.succeed({
        name: names.toDialect(toToolName(tool)),
        ...omitUndefined({ description: tool.description, strict: tool.strict }),
        input_schema: toStrict(
          toInputSchema(tool.parameters ?? {}, index, changes),
          restrictsStrict && tool.strict === true
        ),
        ...getExtraFields(tool.extra),
        ...writeCacheMark(tool.cache)
      })
  }
}

const toInputSchema = (parameters: Json, index: number, changes: RequestChanges): Json => {
  const schema = joinBranches(parameters)
  if (schema !== parameters) changes.add(["tools", index])
  return schema["type"] === "object" ? schema : { ...schema, type: "object" }
}

/** What is strict is a grammar of the same keywords as structured outputs. */
const toStrict = (schema: Json, isRestricted: boolean): Json =>
  isRestricted ? restrictSchema(schema) : schema

/**
 * The tools that earlier turns call, where the caller offers none any more: "Requests which include tool_use or tool_result
 * blocks must define tools" (https://github.com/anthropics/anthropic-sdk-python/issues/494).
 */
export const writeCalledTools = (
  turns: ReadonlyArray<Turn>,
  names: ToolNames
): ReadonlyArray<Json> => {
  const called = new Set<string>()
  for (const { parts } of turns) {
    for (const part of parts) if (part.type === "call") called.add(names.toDialect(part))
  }
  return declareTools(called)
}

/** The same for messages of the API itself. */
export const declareCalledTools = (messages: ReadonlyArray<unknown>): ReadonlyArray<Json> => {
  const called = new Set<string>()
  for (const message of messages) {
    for (const block of isObject(message) ? toList(message["content"]) : []) {
      if (!isObject(block) || block["type"] !== "tool_use") continue
      if (typeof block["name"] === "string") called.add(block["name"])
    }
  }
  return declareTools(called)
}

const declareTools = (names: ReadonlySet<string>): ReadonlyArray<Json> =>
  Array.from(names, (name) => ({ name, input_schema: { type: "object" } }))

/** Undefined without tools, because a choice needs tools. */
export const writeMessagesToolChoice = (
  { parallelCalls, toolChoice }: Pick<Conversation, "parallelCalls" | "toolChoice">,
  names: ToolNames
): Written<Json | undefined> => {
  const parallel = parallelCalls === false ? { disable_parallel_tool_use: true } : undefined
  switch (toolChoice?.type) {
    case undefined:
      return Result.succeed(parallel === undefined ? undefined : { type: "auto", ...parallel })
    case "auto":
      return Result.succeed({ type: "auto", ...parallel })
    case "required":
      return Result.succeed({ type: "any", ...parallel })
    case "allowed":
      return Result.succeed({ type: toolChoice.mode === "auto" ? "auto" : "any", ...parallel })
    case "none":
      return Result.succeed({ type: "none" })
    case "tool":
      return Result.succeed({ type: "tool", name: names.toDialect(toolChoice), ...parallel })
    case "opaque":
      return toolChoice.dialect === "messages"
        ? Result.succeed(toOpaqueChoice(toolChoice.raw))
        : failTranslation(["tool_choice"], "is not one of this provider's API")
  }
}

const toOpaqueChoice = (raw: unknown): Json =>
  typeof raw === "object" && raw !== null ? { ...raw } : { type: "auto" }

/** Why a model that decides by itself whether it calls a tool cannot serve a request. */
export const unforcedProblem =
  'forces a call, which this model refuses: let the model choose with "auto"'

/** Whether the model must call a tool. */
export const isForced = (choice: ToolChoice | undefined): boolean =>
  choice?.type === "required" ||
  choice?.type === "tool" ||
  (choice?.type === "allowed" && choice.mode === "required")
