/** Finds the endpoints' features that the tools of a chat need, by the dialect in which it is sent. */
import * as Predicate from "effect/Predicate"
import type { Conversation } from "../../../conversation/Conversation.ts"
import type { Dialect } from "../../../conversation/Dialect.ts"
import { findServerTools } from "../../../conversation/serverTools/findServerTools.ts"
import {
  findFallbackModels,
  findToolModels
} from "../../../conversation/serverTools/findToolModels.ts"
import type { Requirements } from "../../../routing/Requirements.ts"

type Json = Readonly<Record<string, unknown>>

/** Tools that the provider runs, and models that they or the request name beside its own. */
export type ToolNeeds = Pick<Requirements, "serverTools" | "toolModels">

/** The needs of a request that is sent as `body` where a provider speaks `dialect`. */
export const findToolNeeds = (dialect: Dialect, body: Json): ToolNeeds => {
  const tools = findServerTools(dialect, body)
  const fallbacks = findFallbackModels(body)
  if (tools === undefined && fallbacks.length === 0) return noNeeds
  const models = [...findToolModels(dialect, body), ...fallbacks]
  return {
    ...(tools === undefined ? undefined : { serverTools: { [dialect]: tools } }),
    ...(models.length === 0 ? undefined : { toolModels: { [dialect]: models } })
  }
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

const ignorableParameters: ReadonlySet<string> = new Set([
  "debug",
  "metadata",
  "plugins",
  "preset",
  "route",
  "safeguards",
  "stop_server_tools_when",
  "transforms"
])

export const isIgnorable = (name: string): boolean => ignorableParameters.has(name)

/** Leaves out parameters that ask for nothing: empty ones, and the `route` that applies to every chat anyway. */
export const listIgnoredParameters = (
  given: Readonly<Record<string, unknown>>
): ReadonlyArray<string> =>
  Object.keys(given).filter((name) => isIgnorable(name) && hasEffect(name, given[name]))

const hasEffect = (name: string, value: unknown): boolean =>
  name === "route"
    ? value !== "fallback"
    : value !== false && !(Predicate.isObjectOrArray(value) && Object.keys(value).length === 0)

/**
 * Paths such as `context_management` or `output_config.task_budget`; undefined: none. `parameters` are those of the
 * translation, which has some of the fields under their own names.
 */
export const listNativeFields = (
  { extra }: Pick<Conversation, "extra">,
  parameters: Readonly<Record<string, unknown>>
): ReadonlyArray<string> | undefined => {
  if (extra === undefined) return undefined
  const names = Object.entries(extra.fields).flatMap(([name, value]) => {
    if (Object.hasOwn(parameters, name) || routerReads.has(name)) return []
    if (!asksForSomething(value)) return []
    return partlyTranslated.has(name) && Predicate.isObject(value)
      ? Object.keys(value).map((inner) => `${name}.${inner}`)
      : [name]
  })
  return names.length === 0 ? undefined : names
}

/** The router itself reads them, or the response repeats them. */
const routerReads: ReadonlySet<string> = new Set(["metadata", "prompt_cache_key"])

/** Their untranslated remainder has no neutral form. */
const partlyTranslated: ReadonlySet<string> = new Set([
  "output_config",
  "reasoning",
  "text",
  "thinking"
])

const asksForSomething = (value: unknown): boolean =>
  value !== null &&
  value !== undefined &&
  value !== false &&
  value !== "disabled" &&
  !(Predicate.isObjectOrArray(value) && Object.keys(value).length === 0)
