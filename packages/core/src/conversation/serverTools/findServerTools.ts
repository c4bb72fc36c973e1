/** Finds the tools and sources that a request lets the provider run and read by itself, in the body that is sent. */
import { isObject } from "../../values/json/guards.ts"
import type { Dialect } from "../Dialect.ts"
import type { ServerTool, ServerToolFee } from "./ServerTool.ts"
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

/**
 * Finds known fields, and fields whose names suggest reading, at the top and in the options of providers. Undefined:
 * none.
 */
const findReadingFields = (dialect: Dialect, body: Json): ReadonlyArray<ServerTool> | undefined => {
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

interface ReadingField {
  readonly name: string
  readonly fee: ServerToolFee
  /** The most calls where the field says nothing else; absent: unknown. */
  readonly maxCalls?: number
  /** The provider puts what it has stored before the prompt, and the model reads it once. */
  readonly isStored?: true
  readonly source: string
}

const gemini = "https://ai.google.dev/gemini-api/docs/caching"
const state = "https://developers.openai.com/api/docs/guides/conversation-state"

/** Fields besides `tools` by which a request has the provider search, or read what it has stored. */
const readingFields: Readonly<Record<Dialect, ReadonlyArray<ReadingField>>> = {
  chat: [
    {
      name: "web_search_options",
      fee: "search",
      source: "https://developers.openai.com/api/docs/guides/tools-web-search"
    },
    {
      name: "search_parameters",
      fee: "search",
      maxCalls: 50,
      source: "https://docs.x.ai/docs/guides/live-search"
    },
    {
      name: "enable_search",
      fee: "search",
      source: "https://www.alibabacloud.com/help/en/model-studio/web-search"
    },
    { name: "search_settings", fee: "unknown", source: "https://console.groq.com/docs/compound" },
    { name: "compound_custom", fee: "unknown", source: "https://console.groq.com/docs/compound" },
    {
      name: "data_sources",
      fee: "unknown",
      source: "https://learn.microsoft.com/azure/ai-foundry/openai/references/on-your-data"
    },
    { name: "cached_content", fee: "none", isStored: true, source: gemini },
    { name: "cachedContent", fee: "none", isStored: true, source: gemini }
  ],
  messages: [
    {
      name: "mcp_servers",
      fee: "none",
      source: "https://platform.claude.com/docs/en/agents-and-tools/mcp-connector"
    }
  ],
  responses: [
    { name: "previous_response_id", fee: "none", isStored: true, source: state },
    { name: "conversation", fee: "none", isStored: true, source: state },
    // A stored prompt has tools and a model of its own.
    {
      name: "prompt",
      fee: "unknown",
      source: "https://developers.openai.com/api/docs/guides/prompting"
    }
  ],
  gemini: [{ name: "cachedContent", fee: "none", isStored: true, source: gemini }]
}
