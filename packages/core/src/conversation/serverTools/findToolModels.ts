/**
 * Finds what plugins of a request read, and the models that plugins and tools name: a tool may ask another model, or
 * draw with one.
 */
import type { Dialect } from "../Dialect.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { listDeclaredTools } from "./listDeclaredTools.ts"
import type { ServerTool, ToolModel } from "./ServerTool.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * Finds the models in the settings of every tool that is not a function, at any depth, such as `model` or
 * `analysis_models`.
 */
export const findToolModels = (dialect: Dialect, body: Json): ReadonlyArray<ToolModel> =>
  listDeclaredTools(dialect, body).flatMap(({ path, tool }) => listModels(tool, path))

/**
 * Finds the models that gateways between here and the model take from the body itself, such as LiteLLM's `fallbacks`
 * (https://docs.litellm.ai/docs/proxy/client_side_fallbacks): a text, an object with one, or lists of alternatives by
 * model.
 */
export const findFallbackModels = (body: Json): ReadonlyArray<ToolModel> => {
  let found: Array<ToolModel> | undefined
  for (const field in body) {
    const models = field.includes("fallback")
      ? listNames(body[field], field)
      : field === "extra_body"
        ? [...listModels(body[field], field), ...findExtraFallbacks(body[field])]
        : none
    if (models.length > 0) (found ??= []).push(...models)
  }
  return found ?? none
}

const findExtraFallbacks = (extra: unknown): ReadonlyArray<ToolModel> =>
  isObject(extra)
    ? findFallbackModels(extra).map(({ name, path }) => ({ name, path: `extra_body.${path}` }))
    : none

/** The models in settings, at any depth. */
const listModels = (value: unknown, path: string, depth = maxDepth): ReadonlyArray<ToolModel> => {
  if (depth === 0) return none
  if (Array.isArray(value)) {
    return value.flatMap((each: unknown, index) => listModels(each, `${path}.${index}`, depth - 1))
  }
  if (!isObject(value)) return none
  return Object.entries(value).flatMap(([field, inside]) => {
    // Schemas and headers name models for others, and the tools of a namespace are listed themselves.
    if (otherFields.has(field)) return none
    const at = `${path}.${field}`
    return namesModels(field) ? listNames(inside, at) : listModels(inside, at, depth - 1)
  })
}

const none: ReadonlyArray<ToolModel> = []

/** `value` is a name, an object with one, or a list of those. */
const listNames = (value: unknown, path: string): ReadonlyArray<ToolModel> => {
  if (typeof value === "string") return [{ path, name: value }]
  if (Array.isArray(value)) return value.flatMap((each: unknown) => listNames(each, path))
  if (!isObject(value)) return none
  const { id, model, name, slug } = value
  const found = [model, id, slug, name].find((each) => typeof each === "string")
  if (typeof found === "string") return [{ path, name: found }]
  return Object.entries(value).flatMap(([field, inside]) =>
    Array.isArray(inside) || (typeof inside === "string" && path.includes("fallback"))
      ? listNames(inside, `${path}.${field}`)
      : none
  )
}

const maxDepth = 6

const otherFields: ReadonlySet<string> = new Set([
  "headers",
  "input_schema",
  "json_schema",
  "metadata",
  "output_schema",
  "schema",
  "tools"
])

const namesModels = (field: string): boolean => /^(?:.+_)?models?(?:_ids?)?$/.test(field)

/** `web` searches; the others of which something is known are about the request and its answer alone. */
const localPlugins: ReadonlySet<unknown> = new Set([
  "auto-beta-router",
  "auto-router",
  "context-compression",
  "moderation",
  "pareto-router",
  "response-healing",
  "switchyard-router"
])

/**
 * Finds what the `plugins` of a chat let an OpenRouter server search, read and ask by itself:
 * https://openrouter.ai/docs/guides/features/plugins/overview. A plugin of an unknown id counts as one that reads, at
 * an unknown fee.
 */
export const findPluginTools = (plugins: unknown): ReadonlyArray<ServerTool> =>
  listReading(plugins).map(({ path, plugin: { id, max_uses: maxCalls } }) => ({
    path,
    type: `plugin ${String(id)}`,
    parameter: "plugins",
    fee: id === "web" ? ("search" as const) : ("unknown" as const),
    ...(typeof maxCalls === "number" && Number.isSafeInteger(maxCalls) && maxCalls >= 0
      ? { maxCalls }
      : undefined)
  }))

/** The models that they name, such as those of `fusion`. */
export const findPluginModels = (plugins: unknown): ReadonlyArray<ToolModel> =>
  listReading(plugins).flatMap(({ path, plugin }) => [
    ...listModels(plugin, path),
    ...listModels(plugin["tools"], `${path}.tools`)
  ])

const listReading = (
  plugins: unknown
): ReadonlyArray<{ readonly path: string; readonly plugin: Json }> =>
  toList(plugins).flatMap((plugin, at) =>
    isObject(plugin) && plugin["enabled"] !== false && !localPlugins.has(plugin["id"])
      ? [{ path: `plugins.${at}`, plugin }]
      : []
  )
