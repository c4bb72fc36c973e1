/** Writes the tools of a conversation for Anthropic's API. */
import * as Result from "effect/Result"
import type { Conversation, Tool, ToolChoice } from "../../conversation/Conversation.ts"
import { isObject } from "../../values/json/isObject.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import { setOwn } from "../../values/setOwn.ts"
import { freeTextSchema } from "../CalledTool.ts"
import { failTranslation } from "../failTranslation.ts"
import type { RequestChanges } from "../RequestChanges.ts"
import { type ToolNames, toToolName } from "../ToolNames.ts"
import type { UntranslatableRequest } from "../UntranslatableRequest.ts"
import { getExtraFields, writeCacheMark } from "./messagesFields.ts"
import { toList } from "../../values/json/toList.ts"

type Json = Readonly<Record<string, unknown>>
type Written<A> = Result.Result<A, UntranslatableRequest>

/** If only some tools are allowed, only those are sent: the API has no such choice. */
export const writeMessagesTools = (
  { toolChoice, tools }: Pick<Conversation, "toolChoice" | "tools">,
  names: ToolNames,
  changes: RequestChanges
): Written<ReadonlyArray<Json>> => {
  const allowed = toolChoice?.type === "allowed" ? new Set(toolChoice.names) : undefined
  const written: Array<Json> = []
  for (const [index, tool] of tools.entries()) {
    if (allowed !== undefined && !(tool.type !== "server" && allowed.has(tool.name))) continue
    const each = writeTool(tool, names, index, changes)
    if (Result.isFailure(each)) return Result.fail(each.failure)
    written.push(each.success)
  }
  return Result.succeed(written)
}

const writeTool = (
  tool: Tool,
  names: ToolNames,
  index: number,
  changes: RequestChanges
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
        input_schema: toInputSchema(tool.parameters ?? {}, index, changes),
        ...getExtraFields(tool.extra),
        ...writeCacheMark(tool.cache)
      })
  }
}

const toInputSchema = (parameters: Json, index: number, changes: RequestChanges): Json => {
  const schema = unionNames.some((name) => Array.isArray(parameters[name]))
    ? joinBranches(parameters, index, changes)
    : parameters
  return schema["type"] === "object" ? schema : { ...schema, type: "object" }
}

const unionNames: ReadonlyArray<string> = ["allOf", "anyOf", "oneOf"]

/**
 * An object with the properties of all branches, of which it requires only those that an `allOf` branch requires:
 * "input_schema does not support oneOf, allOf, or anyOf at the top level"
 * (https://github.com/MoonshotAI/kimi-code/issues/2328).
 */
const joinBranches = (parameters: Json, index: number, changes: RequestChanges): Json => {
  changes.add(["tools", index])
  const { allOf: _, anyOf: __, oneOf: ___, ...rest } = parameters
  const properties: Record<string, unknown> = {}
  const required = new Set<unknown>(toList(parameters["required"]))
  for (const name of unionNames) {
    for (const branch of toList(parameters[name])) {
      if (!isObject(branch)) continue
      const inside = isObject(branch["properties"]) ? branch["properties"] : {}
      for (const key of Object.keys(inside)) setOwn(properties, key, inside[key])
      if (name === "allOf") for (const key of toList(branch["required"])) required.add(key)
    }
  }
  const own = isObject(parameters["properties"]) ? parameters["properties"] : {}
  for (const key of Object.keys(own)) setOwn(properties, key, own[key])
  return { ...rest, properties, ...(required.size === 0 ? undefined : { required: [...required] }) }
}

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
