/** Joins the tools of a preset with those of a request. */
import { isObject } from "../../values/json/guards.ts"

/**
 * The tools of the preset in their order, each replaced by the request's of the same identity, then the others of the request.
 * https://openrouter.ai/docs/guides/features/presets
 */
export const mergeTools = (preset: unknown, request: unknown): unknown => {
  if (!Array.isArray(preset)) return request
  // Null: the request has none of its own. Anything else is refused as tools.
  if (!Array.isArray(request)) return request ?? preset
  const added = new Map<string, Array<unknown>>()
  for (const tool of request) {
    const identity = identify(tool)
    const same = added.get(identity)
    if (same === undefined) added.set(identity, [tool])
    else same.push(tool)
  }
  const merged: Array<unknown> = []
  for (const tool of preset) {
    const identity = identify(tool)
    const same = added.get(identity)
    if (same === undefined) merged.push(tool)
    else {
      merged.push(...same)
      // A second tool of the preset with this identity is replaced, too.
      added.set(identity, [])
    }
  }
  for (const tools of added.values()) merged.push(...tools)
  return merged
}

/** Several of these may be in one request, under names of their own. */
const namedServerTools: ReadonlySet<unknown> = new Set([
  "openrouter:advisor",
  "openrouter:subagent"
])

/** Equal for tools that are alternatives: functions by name, tools of providers by type. */
const identify = (tool: unknown): string => {
  if (!isObject(tool)) return JSON.stringify(["?", tool ?? null])
  const { custom, function: declared, name, parameters, server_label, type = "function" } = tool
  const own = [declared, custom].find(isObject)
  if (own !== undefined) return JSON.stringify(["function", own["name"] ?? null])
  if (type === "function" || type === "custom" || type === "namespace") {
    return JSON.stringify(["function", name ?? null])
  }
  if (namedServerTools.has(type)) {
    return JSON.stringify([type, (isObject(parameters) ? parameters["name"] : undefined) ?? null])
  }
  // Each server has tools of its own.
  return type === "mcp" ? JSON.stringify([type, server_label ?? null]) : JSON.stringify([type])
}
