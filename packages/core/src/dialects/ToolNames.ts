/** Names of tools in the alphabet of a dialect, and back. */
import type { CustomTool, FunctionTool, Tool } from "../conversation/Conversation.ts"

/** What a dialect accepts as the name of a function. */
export interface NameRules {
  readonly maxLength: number
  /** Matches one character that is not accepted. */
  readonly refused: RegExp
  /** Matches a first character that is not accepted; absent: none. */
  readonly refusedFirst?: RegExp
}

/** Chat, Messages and Responses. */
export const commonNames: NameRules = { maxLength: 64, refused: /[^a-zA-Z0-9_-]/g }

/** Newer models take 128 characters, others 64 (https://github.com/kaitranntt/ccs/issues/219). */
export const geminiNames: NameRules = {
  maxLength: 64,
  refused: /[^a-zA-Z0-9_.:-]/g,
  refusedFirst: /^[^a-zA-Z_]/
}

/** A tool of the caller, as its calls name it. */
interface ToolName {
  readonly name: string
  readonly namespace?: string
}

/** The names of the tools of one request: reversible, and different for different tools. */
export interface ToolNames {
  readonly toDialect: (tool: ToolName) => string
  /** A name that is not in the request is returned unchanged. */
  readonly fromDialect: (name: string) => ToolName
}

/** A namespace and a name become `namespace__name`. */
export const makeToolNames = (tools: ReadonlyArray<Tool>, rules: NameRules): ToolNames => {
  // Most requests neither have tools nor call any.
  let known:
    | { readonly byWritten: Map<string, ToolName>; readonly byTool: Map<string, string> }
    | undefined

  const add = (tool: ToolName): string => {
    const { byTool, byWritten } = (known ??= { byWritten: new Map(), byTool: new Map() })
    const key = JSON.stringify([tool.namespace ?? null, tool.name])
    const given = byTool.get(key)
    if (given !== undefined) return given
    const wanted = tool.namespace === undefined ? tool.name : `${tool.namespace}__${tool.name}`
    const first = rules.refusedFirst?.test(wanted) === true ? "_" : ""
    const accepted =
      (first + wanted.replaceAll(rules.refused, "_")).slice(0, rules.maxLength) || "_"
    let written = accepted
    for (let count = 2; byWritten.has(written); count++) {
      const suffix = `_${count}`
      written = accepted.slice(0, rules.maxLength - suffix.length) + suffix
    }
    byWritten.set(written, tool)
    byTool.set(key, written)
    return written
  }

  if (tools.length > 0) {
    const named = tools.flatMap((tool) => (tool.type === "server" ? [] : [toToolName(tool)]))
    // Names that need no change come first, so that they keep their names.
    for (const tool of named) if (isAcceptedName(tool, rules)) add(tool)
    for (const tool of named) add(tool)
  }
  return {
    toDialect: add,
    fromDialect: (name) => known?.byWritten.get(name) ?? { name }
  }
}

export const isAcceptedName = ({ name, namespace }: ToolName, rules: NameRules): boolean =>
  namespace === undefined &&
  name.length <= rules.maxLength &&
  name.search(rules.refused) === -1 &&
  rules.refusedFirst?.test(name) !== true

/** Names of functions may be the same in two namespaces. */
export const toToolName = (tool: CustomTool | FunctionTool): ToolName =>
  tool.type === "function" && tool.namespace !== undefined
    ? { name: tool.name, namespace: tool.namespace.name }
    : { name: tool.name }
