/** Takes the settings of a preset from a request of one of three APIs. */
import * as Result from "effect/Result"
import { decodeChatRequest, type ParsedChat } from "../../domains/chat/request/parseChatRequest.ts"
import { decodeMessagesChat } from "../../domains/messages/parseMessagesChat.ts"
import type { PresetSettings } from "../../domains/presets/Preset.ts"
import { namesPreset } from "../../domains/presets/namesPreset.ts"
import { decodeResponsesChat } from "../../domains/responses/parseResponsesChat.ts"
import type { Tool } from "../../conversation/Conversation.ts"
import { parseChatSettings } from "../../dialects/chat/parseRequest.ts"
import { writeChatParameters } from "../../dialects/chat/writeRequest.ts"
import { maxTtlSeconds } from "../../routing/cache/CacheWish.ts"
import type { ParseOptions, ParseResult } from "../../routing/parseRequest.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { setOwn } from "../../values/ownFields.ts"

type Json = Readonly<Record<string, unknown>>

/** The APIs whose requests can be stored. */
export type SavedApi = "chat" | "messages" | "responses"

/** Fields of the router that are settings; other fields of the router are of one request. */
const kept: ReadonlySet<string> = new Set([
  "cache_enabled",
  "cache_ttl_seconds",
  "model",
  "models",
  "plugins",
  "provider",
  "route",
  "transforms"
])

/** Parameters of one request, although the model is sent them. */
const dropped: ReadonlySet<string> = new Set([
  "input",
  "instructions",
  "prediction",
  "prompt",
  "store"
])

/** Fails for a request that the API would refuse, and for one that names a preset itself. */
export const parsePresetSettings = (
  api: SavedApi,
  json: unknown,
  options: ParseOptions
): ParseResult<PresetSettings> => {
  if (namesPreset(json)) return Result.fail(nested)
  const body: Json = isObject(json) ? json : {}
  const problem = findCacheProblem(body)
  if (problem !== undefined) return Result.fail(problem)
  return Result.flatMap(decode(api, json, options), ({ parsed, tools }) => {
    const config: Record<string, unknown> = {}
    for (const name of kept) {
      const value = body[name] ?? undefined
      if (value !== undefined) config[name] = value
    }
    // Such as the `fallbacks` of Anthropic's API.
    const { models } = parsed.request
    if (models !== undefined && models.length > 0) config["models"] = models
    const parameters = tools === undefined ? parsed.parameters : addTools(parsed.parameters, tools)
    for (const name of Object.keys(parameters)) {
      if (!dropped.has(name)) setOwn(config, name, parameters[name])
    }
    return Result.mapBoth(parseChatSettings(parameters), {
      onSuccess: () => ({ config, system_prompt: findSystemPrompt(parsed) }),
      onFailure: ({ path, problem }) => new InvalidRequest({ path, problem })
    })
  })
}

interface DecodedRequest {
  readonly parsed: ParsedChat
  /** In no API's words; absent: the parameters have them all. */
  readonly tools?: ReadonlyArray<Tool>
}

const decode = (
  api: SavedApi,
  json: unknown,
  options: ParseOptions
): ParseResult<DecodedRequest> => {
  switch (api) {
    case "chat":
      return Result.map(decodeChatRequest(json, options), (parsed) => ({ parsed }))
    case "messages":
      return decodeMessagesChat(json, options)
    case "responses":
      return decodeResponsesChat(json, options)
  }
}

const nested = new InvalidRequest({
  path: ["preset"],
  problem: "a preset cannot use another preset; give its settings"
})

/** Tools that providers run have the same form in every API here, and stay what they are. */
const addTools = (parameters: Json, tools: ReadonlyArray<Tool>): Json =>
  tools.length === 0
    ? parameters
    : {
        ...parameters,
        tools: tools.flatMap((tool) =>
          tool.type === "server"
            ? [tool.raw]
            : toList(writeChatParameters({ tools: [tool], sampling: {}, stop: [] })["tools"])
        )
      }

/** The texts of the system prompt, wherever its API has it; null: none. */
const findSystemPrompt = ({ said }: ParsedChat): string | null => {
  const texts = said
    .toMessages()
    .filter(({ role }) => role === "system" || role === "developer")
    .flatMap(({ content }) => (typeof content === "string" ? [content] : listTexts(content)))
  return texts.length === 0 ? null : texts.join("\n\n")
}

const listTexts = (content: unknown): ReadonlyArray<string> =>
  toList(content).flatMap((part) =>
    isObject(part) && typeof part["text"] === "string" ? [part["text"]] : []
  )

const findCacheProblem = ({
  cache_enabled: isCached,
  cache_ttl_seconds: ttl
}: Json): InvalidRequest | undefined => {
  if (isCached !== undefined && isCached !== null && typeof isCached !== "boolean") {
    return new InvalidRequest({ path: ["cache_enabled"], problem: "must be a boolean" })
  }
  if (ttl === undefined || ttl === null) return undefined
  return Number.isInteger(ttl) && Number(ttl) >= 1 && Number(ttl) <= maxTtlSeconds
    ? undefined
    : new InvalidRequest({
        path: ["cache_ttl_seconds"],
        problem: `must be a whole number from 1 to ${maxTtlSeconds}`
      })
}
