/** Finds the endpoints' features that the tools of a chat need, by the dialect in which it is sent. */
import type { Dialect } from "../../../conversation/Dialect.ts"
import type { ServerTool } from "../../../conversation/serverTools/ServerTool.ts"
import { findServerTools } from "../../../conversation/serverTools/findServerTools.ts"
import {
  findFallbackModels,
  findPluginModels,
  findPluginTools,
  findToolModels
} from "../../../conversation/serverTools/findToolModels.ts"
import type { Requirements } from "../../../routing/Requirements.ts"

type Json = Readonly<Record<string, unknown>>

/** Tools that the provider runs, and models that they or the request name beside its own. */
export type ToolNeeds = Pick<Requirements, "serverTools" | "toolModels">

/** The needs of a request that is sent as `body` where a provider speaks `dialect`, with `plugins` if it knows those. */
export const findToolNeeds = (dialect: Dialect, body: Json, plugins?: unknown): ToolNeeds => {
  const tools = addPlugins(findServerTools(dialect, body), plugins)
  const fallbacks = findFallbackModels(body)
  if (tools === undefined && fallbacks.length === 0) return noNeeds
  const models = [...findToolModels(dialect, body), ...fallbacks, ...findPluginModels(plugins)]
  return {
    ...(tools === undefined ? undefined : { serverTools: { [dialect]: tools } }),
    ...(models.length === 0 ? undefined : { toolModels: { [dialect]: models } })
  }
}

const addPlugins = (
  tools: ReadonlyArray<ServerTool> | undefined,
  plugins: unknown
): ReadonlyArray<ServerTool> | undefined => {
  const found = plugins === undefined ? [] : findPluginTools(plugins)
  return found.length === 0 ? tools : [...(tools ?? []), ...found]
}

export const noNeeds: ToolNeeds = {}

/** Joins the needs of the same request in two dialects. */
export const joinToolNeeds = (one: ToolNeeds, other: ToolNeeds): ToolNeeds => {
  if (one === noNeeds) return other
  return other === noNeeds
    ? one
    : {
        ...one,
        ...other,
        ...(one.serverTools === undefined || other.serverTools === undefined
          ? undefined
          : { serverTools: { ...one.serverTools, ...other.serverTools } }),
        ...(one.toolModels === undefined || other.toolModels === undefined
          ? undefined
          : { toolModels: { ...one.toolModels, ...other.toolModels } })
      }
}
