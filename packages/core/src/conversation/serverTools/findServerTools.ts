/** Finds the tools and sources that a request lets the provider run and read by itself, in the body that is sent. */
import type { Dialect } from "../Dialect.ts"
import { isObject } from "../../values/json/guards.ts"
import { findReadingFields } from "./findReadingFields.ts"
import type { ServerTool } from "./ServerTool.ts"
import { listDeclaredTools } from "./listDeclaredTools.ts"
import { findToolFee } from "./toolKinds.ts"

type Json = Readonly<Record<string, unknown>>

/** Undefined: nothing. A tool of an unknown type counts as run by the provider. */
export const findServerTools = (
  dialect: Dialect,
  body: Json
): ReadonlyArray<ServerTool> | undefined => {
  const fields = findReadingFields(dialect, body)
  let found: Array<ServerTool> | undefined
  for (const { path, tool, type } of listDeclaredTools(dialect, body)) {
    const fee = isLocal(tool) ? undefined : findToolFee(dialect, type)
    if (fee === undefined) continue
    ;(found ??= []).push({
      path,
      type,
      parameter: "tools",
      fee,
      ...readBounds(dialect, tool, body)
    })
  }
  return fields === undefined ? found : [...fields, ...(found ?? [])]
}

/**
 * The caller runs the shell of the Responses API unless the tool names a container, and a tool search with `execution:
 * "client"`.
 */
const isLocal = ({ environment, execution, type }: Json): boolean =>
  (type === "shell" && isObject(environment) && environment["type"] === "local") ||
  (type === "tool_search" && execution === "client")

/**
 * `max_uses` bounds the calls of one of Anthropic's tools, but not the turns, of which each may call several tools.
 * `max_tool_calls` bounds the calls of all tools in OpenAI's Responses API; further attempts are ignored.
 */
const readBounds = (
  dialect: Dialect,
  { max_uses: maxUses }: Json,
  { max_tool_calls: maxToolCalls }: Json
): Pick<ServerTool, "maxCalls" | "maxTurns"> => {
  if (dialect === "responses" && isCount(maxToolCalls)) {
    return { maxCalls: maxToolCalls, maxTurns: maxToolCalls + 1 }
  }
  return isCount(maxUses) ? { maxCalls: maxUses } : {}
}

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0
