/** Writes the tools of a conversation for Google's API. */
import { failTranslation, isEmpty, type UntranslatableRequest } from "../UntranslatableRequest.ts"
import * as Result from "effect/Result"
import type {
  Conversation,
  CustomTool,
  FunctionTool,
  Tool,
  ToolChoice
} from "../../conversation/Conversation.ts"
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { freeTextSchema } from "../CalledTool.ts"
import { type ToolNames, toToolName } from "../ToolNames.ts"
import { type Json, getExtraFields } from "./geminiFields.ts"

type Written<A> = Result.Result<A, UntranslatableRequest>

/** All functions are in one tool, where the first of them was. */
export const writeGeminiTools = (
  tools: ReadonlyArray<Tool>,
  names: ToolNames
): Written<ReadonlyArray<Json>> => {
  const written: Array<Json> = []
  const functions: Array<Json> = []
  for (const [index, tool] of tools.entries()) {
    if (tool.type === "server") {
      if (tool.dialect !== "gemini") {
        return failTranslation(
          ["tools", index],
          `the tool "${String(tool.raw["type"])}" is not one of this provider's API`
        )
      }
      written.push(tool.raw)
      continue
    }
    if (functions.length === 0) written.push({ functionDeclarations: functions })
    functions.push(tool.type === "custom" ? writeCustom(tool, names) : writeFunction(tool, names))
  }
  return Result.succeed(written)
}

/** `parameters` takes fewer keywords than JSON schemas have. */
const writeFunction = (tool: FunctionTool, names: ToolNames): Json => {
  const fields = getExtraFields(tool.extra)
  return {
    name: names.toDialect(toToolName(tool)),
    ...omitUndefined({
      description: tool.description,
      parametersJsonSchema: Object.hasOwn(fields, "parameters") ? undefined : tool.parameters
    }),
    ...fields
  }
}

const writeCustom = (tool: CustomTool, names: ToolNames): Json => ({
  name: names.toDialect({ name: tool.name }),
  ...omitUndefined({ description: tool.description }),
  parametersJsonSchema: freeTextSchema
})

/** Undefined when there is nothing to choose. Whether calls may be parallel cannot be said. */
export const writeToolConfig = (
  { extra, toolChoice, tools }: Conversation,
  names: ToolNames
): Written<Json | undefined> => {
  const { toolConfig } = getExtraFields(extra)
  const fields = isObject(toolConfig) ? toolConfig : {}
  const hasFunctions = tools.some(({ type }) => type !== "server")
  return Result.map(writeChoice(hasFunctions ? toolChoice : undefined, names), (choice) => {
    const { functionCallingConfig } = fields
    const calling = {
      ...choice,
      ...(isObject(functionCallingConfig) ? functionCallingConfig : undefined)
    }
    const config = {
      ...fields,
      ...(isEmpty(calling) ? undefined : { functionCallingConfig: calling })
    }
    return isEmpty(config) ? undefined : config
  })
}

const writeChoice = (choice: ToolChoice | undefined, names: ToolNames): Written<Json> => {
  switch (choice?.type) {
    case undefined:
      return Result.succeed({})
    case "auto":
      return Result.succeed({ mode: "AUTO" })
    case "none":
      return Result.succeed({ mode: "NONE" })
    case "required":
      return Result.succeed({ mode: "ANY" })
    case "tool":
      return Result.succeed({ mode: "ANY", allowedFunctionNames: [names.toDialect(choice)] })
    case "allowed":
      return Result.succeed({
        mode: choice.mode === "required" ? "ANY" : "VALIDATED",
        allowedFunctionNames: choice.names.map((name) => names.toDialect({ name }))
      })
    case "opaque":
      return choice.dialect === "gemini" && isObject(choice.raw)
        ? Result.succeed(choice.raw)
        : failTranslation(["tool_choice"], "is not one of this provider's API")
  }
}
