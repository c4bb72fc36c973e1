/** Finds the fields besides `tools` by which a request has the provider search, or read what it has stored. */
import type { Dialect } from "../Dialect.ts"
import { isObject } from "../../values/json/guards.ts"
import { readingFields } from "./readingFields.ts"
import type { ServerTool } from "./ServerTool.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * Finds known fields, and fields whose names suggest reading, at the top and in the options of providers. Undefined:
 * none.
 */
export const findReadingFields = (
  dialect: Dialect,
  body: Json
): ReadonlyArray<ServerTool> | undefined => {
  let found: Array<ServerTool> | undefined
  for (const name of Object.keys(body)) {
    if (usualFields.has(name)) continue
    const value = body[name]
    if (!asksForSomething(value)) continue
    const tool = findTool(dialect, name, name) ?? findInside(dialect, name, value, 0)
    if (tool !== undefined) (found ??= []).push({ ...tool, parameter: name })
  }
  return found
}

/** Fields of every request, whose names need no look. */
const usualFields: ReadonlySet<string> = new Set([
  "input",
  "instructions",
  "max_tokens",
  "messages",
  "model",
  "response_format",
  "stream",
  "system",
  "temperature",
  "text",
  "tool_choice",
  "tools",
  "top_p"
])

const findTool = (
  dialect: Dialect,
  name: string,
  path: string
): Omit<ServerTool, "parameter"> | undefined => {
  const known = readingFields[dialect].find((each) => each.name === name)
  if (known === undefined) {
    const fee = findNamedFee(name)
    return fee === undefined ? undefined : { path, type: name, fee }
  }
  const { fee, isStored, maxCalls } = known
  return {
    path,
    type: name,
    fee,
    ...(maxCalls === undefined ? undefined : { maxCalls }),
    ...(isStored === true ? { maxTurns: 1 } : undefined)
  }
}

/**
 * Providers do not agree on the names, and new ones come: a field that says that it searches or reads counts as one that
 * does, such as `enable_web_search`, and the `enable_web_search` in `venice_parameters`
 * (https://docs.venice.ai/api-reference/api-spec).
 */
const findNamedFee = (name: string): ServerTool["fee"] | undefined => {
  if (noSearch.test(name)) return undefined
  if (search.test(name)) return "search"
  return reading.test(name) ? "unknown" : undefined
}

const search = /search|grounding|brows|crawl/i
const reading =
  /mcp|connectors?$|data_?sources?$|knowledge|retriev|agent_?id|code_?(?:interpreter|execution)/i
/** Beams and contrasts are ways to choose tokens (https://docs.vllm.ai/en/latest/api/vllm/sampling_params.html). */
const noSearch = /beam|contrastive|^(?:disable|exclude|no|without)_/i

const findInside = (
  dialect: Dialect,
  path: string,
  value: unknown,
  depth: number
): Omit<ServerTool, "parameter"> | undefined => {
  const last = path.slice(path.lastIndexOf(".") + 1)
  if (depth === maxDepth || !isObject(value) || !holdsOptions.test(last)) return undefined
  for (const name of Object.keys(value)) {
    const inside = value[name]
    if (!asksForSomething(inside)) continue
    const at = `${path}.${name}`
    const found = findTool(dialect, name, at) ?? findInside(dialect, at, inside, depth + 1)
    if (found !== undefined) return found
  }
  return undefined
}

const maxDepth = 3

/** Some fields, such as `extra_body`, hold the options of a provider: https://ai.google.dev/gemini-api/docs/openai. */
const holdsOptions =
  /^(?:extra_body|google|vertex|.*(?:config|options|parameters|params|settings))$/i

const asksForSomething = (value: unknown): boolean => {
  if (value === undefined || value === null || value === false || value === 0) return false
  if (typeof value === "string") return !off.test(value)
  if (Array.isArray(value)) return value.length > 0
  if (!isObject(value)) return true
  const { enable, enabled, mode, type } = value
  return enable !== false && enabled !== false && mode !== "off" && type !== "disabled"
}

const off = /^(?:disabled|false|never|no|none|off|)$/i
