/** Writes the tools of a conversation for a model of the AI SDK. */
import type { LanguageModelV4FunctionTool, LanguageModelV4ToolChoice } from "@ai-sdk/provider"
import {
  type Conversation,
  type Tool,
  type ToolNames,
  UntranslatableRequest
} from "@signalbox/core/dialects"
import * as Result from "effect/Result"

type Written<A> = Result.Result<A, UntranslatableRequest>

export interface WrittenTools {
  readonly tools?: Array<LanguageModelV4FunctionTool>
  readonly toolChoice?: LanguageModelV4ToolChoice
}

/** If only some tools are allowed, only those are sent. A tool of free text is a function with one text. */
export const writeTools = (
  { toolChoice, tools }: Pick<Conversation, "toolChoice" | "tools">,
  names: ToolNames
): Written<WrittenTools> =>
  Result.gen(function* () {
    const allowed = toolChoice?.type === "allowed" ? new Set(toolChoice.names) : undefined
    const written: Array<LanguageModelV4FunctionTool> = []
    for (const [index, tool] of tools.entries()) {
      if (tool.type !== "server" && allowed?.has(tool.name) === false) continue
      written.push(yield* writeTool(tool, names, index))
    }
    if (written.length === 0) return {}
    const choice = yield* writeToolChoice(toolChoice, names)
    return { tools: written, ...(choice === undefined ? undefined : { toolChoice: choice }) }
  })

const writeTool = (
  tool: Tool,
  names: ToolNames,
  index: number
): Written<LanguageModelV4FunctionTool> => {
  switch (tool.type) {
    case "server":
      return fail(
        ["tools", index],
        `the tool "${String(tool.raw["type"])}" is none that the AI SDK can name`
      )
    case "custom":
      return Result.succeed({
        type: "function",
        name: names.toDialect({ name: tool.name }),
        ...writeDescription(tool),
        inputSchema: {
          type: "object",
          properties: { input: { type: "string" } },
          required: ["input"]
        }
      })
    case "function":
      return Result.succeed({
        type: "function",
        name: names.toDialect(
          tool.namespace === undefined
            ? { name: tool.name }
            : { name: tool.name, namespace: tool.namespace.name }
        ),
        ...writeDescription(tool),
        inputSchema: toSchema(tool.parameters ?? { type: "object", properties: {} }),
        ...(tool.strict === undefined ? undefined : { strict: tool.strict })
      })
  }
}

const writeDescription = ({ description }: { readonly description?: string }) =>
  description === undefined ? undefined : { description }

type Schema = LanguageModelV4FunctionTool["inputSchema"]

/** The provider checks the caller's schema, not the router. */
export const toSchema = (schema: Readonly<Record<string, unknown>>): Schema => schema

const writeToolChoice = (
  choice: Conversation["toolChoice"],
  names: ToolNames
): Written<LanguageModelV4ToolChoice | undefined> => {
  switch (choice?.type) {
    case undefined:
      return Result.succeed(undefined)
    case "auto":
    case "none":
    case "required":
      return Result.succeed({ type: choice.type })
    case "allowed":
      return Result.succeed({ type: choice.mode })
    case "tool":
      return Result.succeed({ type: "tool", toolName: names.toDialect(choice) })
    case "opaque":
      return fail(["tool_choice"], "is none that the AI SDK knows")
  }
}

const fail = (path: ReadonlyArray<number | string>, problem: string): Written<never> =>
  Result.fail(new UntranslatableRequest({ path, problem }))
