/** The fields of a chat that the HTTP API knows, but the router neither implements nor passes on. */
import * as Predicate from "effect/Predicate"
import { asksForSomething, toList } from "../../../values/json/guards.ts"

type Json = Readonly<Record<string, unknown>>

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

/** Of these, what servers with OpenRouter's API know in a chat: https://openrouter.ai/docs/api-reference/chat-completion. */
const serverFieldNames = ["metadata", "plugins", "stop_server_tools_when", "transforms"] as const

/** Undefined: the request has none. */
export const pickServerFields = (given: Json): Json | undefined => {
  let picked: Record<string, unknown> | undefined
  for (const name of serverFieldNames) {
    if (given[name] !== undefined) (picked ??= {})[name] = given[name]
  }
  return picked
}

interface GivenFields {
  /** The format of the answer, by its name in the chat API. */
  readonly format: unknown
  /** Whether the answer comes in chunks of the chat API. */
  readonly isChatStream?: boolean
}

/** Leaves out what asks for nothing: empty values, and what applies to every chat anyway. */
export const listIgnoredParameters = (
  given: Json,
  { format, isChatStream = false }: GivenFields
): ReadonlyArray<string> => {
  const ignored: Array<string> = []
  for (const name in given) {
    const done = name === "debug" && !isChatStream ? undefined : doneFields.get(name)
    const value = given[name]
    if (done !== undefined) {
      if (Predicate.isObject(value)) addOthers(ignored, name, value, done)
    } else if (name === "plugins") {
      addPlugins(ignored, value, (plugin) =>
        isHealing(plugin) ? isHealed(given, format) : isCompressing(plugin)
      )
    } else if (name === "transforms") {
      addTransforms(ignored, value)
    } else if (isIgnorable(name) && hasEffect(name, value)) {
      ignored.push(name)
    }
  }
  return ignored
}

/** Objects of the router, by what of them it does. Streams always end with the usage. */
const doneFields: ReadonlyMap<string, string> = new Map([
  ["debug", "echo_upstream_body"],
  ["stream_options", "include_usage"],
  ["usage", "include"]
])

const addOthers = (ignored: Array<string>, name: string, value: Json, done: string): void => {
  for (const inner in value) {
    if (inner !== done && asksForSomething(value[inner])) ignored.push(`${name}.${inner}`)
  }
}

const hasEffect = (name: string, value: unknown): boolean => {
  switch (name) {
    // `sort` is a preference: https://openrouter.ai/docs/features/provider-routing.
    case "route":
      return value !== "fallback" && value !== "sort"
    default:
      return asksForSomething(value)
  }
}

/** The list as a whole, unless a plugin of it is done. */
const addPlugins = (
  ignored: Array<string>,
  value: unknown,
  isDone: (plugin: unknown) => boolean
): void => {
  const plugins = toList(value)
  const others = plugins.flatMap((plugin, at) => {
    const asks = !Predicate.isObject(plugin) || isEnabled(plugin)
    return asks && !isDone(plugin) ? [`plugins.${at}`] : []
  })
  if (others.length > 0) ignored.push(...(plugins.some(isDone) ? others : ["plugins"]))
}

const addTransforms = (ignored: Array<string>, value: unknown): void => {
  const transforms = toList(value)
  if (transforms.length === 0) {
    if (!Array.isArray(value) && asksForSomething(value)) ignored.push("transforms")
  } else if (!transforms.includes(middleOut)) ignored.push("transforms")
  else {
    for (const [at, name] of transforms.entries()) {
      if (name !== middleOut) ignored.push(`transforms.${at}`)
    }
  }
}

const isHealing = (plugin: unknown): boolean =>
  Predicate.isObject(plugin) && plugin["id"] === "response-healing" && isEnabled(plugin)

/** Only a whole answer that is to be JSON can be repaired. */
const isHealed = ({ stream }: Json, format: unknown): boolean =>
  stream !== true &&
  Predicate.isObject(format) &&
  (format["type"] === "json_object" || format["type"] === "json_schema")

/** Whether the answer of a chat is to be repaired where it is almost JSON. */
export const asksForHealing = (given: Json, format: unknown): boolean =>
  given["plugins"] !== undefined &&
  toList(given["plugins"]).some(isHealing) &&
  isHealed(given, format)

/** Whether the first chunk of the answer shows the request that its provider got. */
export const asksForEcho = ({ debug, stream }: Json): boolean =>
  stream === true && Predicate.isObject(debug) && debug["echo_upstream_body"] === true

/** The only engine of the plugin `context-compression`. */
const middleOut = "middle-out"

const isCompressing = (plugin: unknown): boolean =>
  Predicate.isObject(plugin) &&
  plugin["id"] === "context-compression" &&
  isEnabled(plugin) &&
  (plugin["engine"] ?? middleOut) === middleOut

/**
 * The fields that ask to leave messages out of a prompt that is too long; false: the request does not want that. Undefined: it
 * does not say.
 */
export const findCompression = ({
  plugins,
  transforms
}: Json): ReadonlyArray<string> | false | undefined => {
  if (plugins === undefined && transforms === undefined) return undefined
  const asked = toList(plugins).flatMap((plugin, at) =>
    isCompressing(plugin) ? [`plugins.${at}`] : []
  )
  if (toList(transforms).includes(middleOut)) asked.push("transforms")
  if (asked.length > 0) return asked
  const isOff =
    (Array.isArray(transforms) && transforms.length === 0) || toList(plugins).some(isUncompressed)
  return isOff ? false : undefined
}

const isUncompressed = (plugin: unknown): boolean =>
  Predicate.isObject(plugin) && plugin["id"] === "context-compression" && !isEnabled(plugin)

const isEnabled = ({ enabled }: Json): boolean => enabled !== false
