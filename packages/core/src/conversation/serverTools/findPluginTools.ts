/**
 * Finds what plugins of a chat let an OpenRouter server search, read and ask by itself:
 * https://openrouter.ai/docs/guides/features/plugins/overview.
 */
import { isObject, toList } from "../../values/json/guards.ts"
import type { ServerTool, ToolModel } from "./ServerTool.ts"
import { listModels } from "./findToolModels.ts"

type Json = Readonly<Record<string, unknown>>

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

/** The `plugins` of a request. A plugin of an unknown id counts as one that reads, at an unknown fee. */
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
