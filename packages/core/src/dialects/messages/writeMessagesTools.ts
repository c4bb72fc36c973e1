/** Writes the tools of a conversation for Anthropic's API. */
import * as Result from "effect/Result"
import type { Conversation, Tool, ToolChoice } from "../../conversation/Conversation.ts"
import { omitUndefined } from "../../values/omitUndefined.ts"
import { freeTextSchema } from "../CalledTool.ts"
import { failTranslation } from "../failTranslation.ts"
import { type ToolNames, toToolName } from "../ToolNames.ts"
import type { UntranslatableRequest } from "../UntranslatableRequest.ts"
import { getExtraFields, writeCacheMark } from "./messagesFields.ts"

type Json = Readonly<Record<string, unknown>>
type Written<A> = Result.Result<A, UntranslatableRequest>

/** Of several allowed tools, only those are sent: the API has no such choice. */
export const writeMessagesTools = (
  { toolChoice, tools }: Pick<Conversation, "toolChoice" | "tools">,
  names: ToolNames
): Written<ReadonlyArray<Json>> => {
  const allowed = toolChoice?.type === "allowed" ? new Set(toolChoice.names) : undefined
  const written: Array<Json> = []
  for (const [index, tool] of tools.entries()) {
    if (allowed !== undefined && !(tool.type !== "server" && allowed.has(tool.name))) continue
    const each = writeTool(tool, names, index)
    if (Result.isFailure(each)) return Result.fail(each.failure)
    written.push(each.success)
  }
  return Result.succeed(written)
}

const writeTool = (tool: Tool, names: ToolNames, index: number): Written<Json> => {
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
        input_schema: toInputSchema(tool.parameters ?? {}),
        ...getExtraFields(tool.extra),
        ...writeCacheMark(tool.cache)
      })
  }
}

const toInputSchema = (parameters: Json): Json =>
  parameters["type"] === "object" ? parameters : { ...parameters, type: "object" }

/** Undefined without tools, of which there is nothing to choose. */
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

/** Whether the model must call a tool. */
export const isForced = (choice: ToolChoice | undefined): boolean =>
  choice?.type === "required" ||
  choice?.type === "tool" ||
  (choice?.type === "allowed" && choice.mode === "required")
