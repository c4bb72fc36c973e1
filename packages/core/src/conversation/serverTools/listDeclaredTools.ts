/** Lists the tools of a request that are no functions of the caller, wherever the dialect declares tools. */
import type { Dialect } from "../Dialect.ts"
import { isObject } from "../../values/json/guards.ts"

type Json = Readonly<Record<string, unknown>>

/** A tool that is neither a function nor a custom tool. */
export interface DeclaredTool {
  readonly path: string
  readonly type: string
  readonly tool: Json
}

export const listDeclaredTools = (dialect: Dialect, body: Json): ReadonlyArray<DeclaredTool> => {
  const { tools } = body
  const declared = Array.isArray(tools)
    ? listTools(dialect, tools, "tools")
    : isObject(tools)
      ? listTool(dialect, tools, "tools")
      : none
  const added = listAddedTools(dialect, body)
  return added.length === 0 ? declared : [...declared, ...added]
}

const none: ReadonlyArray<DeclaredTool> = []

const listTools = (
  dialect: Dialect,
  tools: ReadonlyArray<unknown>,
  path: string
): ReadonlyArray<DeclaredTool> =>
  tools.flatMap((tool, index) =>
    isObject(tool) ? listTool(dialect, tool, `${path}.${index}`) : none
  )

/** A namespace has tools of its own. */
const listTool = (dialect: Dialect, tool: Json, path: string): ReadonlyArray<DeclaredTool> => {
  const types = listTypes(dialect, tool).map((type) => ({ path, type, tool }))
  const { tools: inside, type } = tool
  return type === "namespace" && Array.isArray(inside)
    ? [...types, ...listTools(dialect, inside, `${path}.tools`)]
    : types
}

/** The type of a tool; those that Google's API puts into one object; empty for functions and custom tools. */
const listTypes = (dialect: Dialect, tool: Json): ReadonlyArray<string> => {
  if (dialect === "gemini") return Object.keys(tool).map(toCamelCase).filter(isNoFunction)
  const { type } = tool
  if (type === "function" || type === "custom") return []
  if (typeof type === "string") return [type]
  // Anthropic's own tools have a type, and a function of a chat its name in `function`.
  return dialect === "messages" || isObject(tool["function"]) ? [] : ["untyped"]
}

const isNoFunction = (name: string): boolean => name !== "functionDeclarations"

const toCamelCase = (name: string): string =>
  name.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())

/** Tools that the conversation itself adds: a block of a message, or an item of the input. */
const listAddedTools = (
  dialect: Dialect,
  { input, messages }: Json
): ReadonlyArray<DeclaredTool> => {
  if (dialect === "messages" && Array.isArray(messages)) {
    return messages.flatMap((message: unknown, at) =>
      isObject(message) && Array.isArray(message["content"])
        ? message["content"].flatMap((block: unknown, index) =>
            isObject(block) && block["type"] === "tool_addition"
              ? listTools(dialect, [block["tool"]], `messages.${at}.content.${index}`)
              : none
          )
        : none
    )
  }
  if (dialect !== "responses" || !Array.isArray(input)) return none
  return input.flatMap((item: unknown, index) =>
    isObject(item) && Array.isArray(item["tools"]) && !providersLists.has(item["type"])
      ? listTools(dialect, item["tools"], `input.${index}.tools`)
      : none
  )
}

/** A list from an earlier answer declares no tools of this request. */
const providersLists: ReadonlySet<unknown> = new Set(["mcp_list_tools"])
