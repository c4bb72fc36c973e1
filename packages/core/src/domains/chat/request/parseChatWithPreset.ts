/** Makes a chat of a conversation that may name a preset. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { Conversation, Tool, Turn } from "../../../conversation/Conversation.ts"
import { parseChatSettings } from "../../../dialects/chat/parseRequest.ts"
import { parseTools } from "../../../dialects/chat/parseTools.ts"
import { writeChatParameters, writeChatRequest } from "../../../dialects/chat/writeRequest.ts"
import type { SettingsShape } from "../../../instance/Settings.ts"
import {
  type AppliedPreset,
  parseInProcess,
  type ParseOptions,
  type ParseResult,
  requireJsonObject,
  selectFields
} from "../../../routing/parseRequest.ts"
import type { Caller } from "../../../tenants/auth/Caller.ts"
import { InvalidRequest, type RequestTooLarge } from "../../../values/errors/RequestErrors.ts"
import { isObject, toList } from "../../../values/json/guards.ts"
import { isDeeperThan } from "../../../values/json/JsonCost.ts"
import { copyRequest, stringifyRequest } from "../../../values/json/parseJson.ts"
import type { PresetUnavailable } from "../../presets/Preset.ts"
import { namesPreset } from "../../presets/namesPreset.ts"
import type { Presets } from "../../presets/Presets.ts"
import { decodeConversation } from "./decodeNativeChat.ts"
import { flattenExtra, isRouterField, type ParsedChat } from "./parseChatRequest.ts"

interface ChatOfConversation {
  readonly parsed: ParsedChat
  /** Calls in the answer have the names of these. */
  readonly tools: ReadonlyArray<Tool>
}

interface PresetUse {
  readonly caller: Caller
  readonly presets: Presets["Service"]
}

/** `config` has the fields of a chat request that the conversation does not say. */
export const parseChatWithPreset = (
  conversation: Conversation,
  config: object,
  settings: SettingsShape,
  { caller, presets }: PresetUse
): Effect.Effect<ChatOfConversation, InvalidRequest | PresetUnavailable | RequestTooLarge> =>
  namesPreset(config) && isConversation(conversation)
    ? Effect.gen(function* () {
        // The preset only asks whether there is a system prompt, so nothing else that is said is written.
        const turns = conversation.turns.filter(isSystem)
        const written = writeChatRequest({ ...conversation, turns })
        const fields = yield* flattenExtra({ ...config, ...written.parameters })
        const chat = { ...(isObject(fields) ? fields : {}), messages: written.messages }
        const copy = yield* copyRequest(chat, settings.maxJsonDepth)
        const { json, preset } = yield* presets.apply(caller, "chat", copy)
        const { messages, ...merged } = yield* Effect.fromResult(requireJsonObject(json))
        const own = yield* Effect.fromResult(toSettings(merged))
        const tools = [
          ...joinTools(toList(merged["tools"]), toList(written.parameters["tools"]), conversation),
          ...conversation.tools.filter(isForeign)
        ]
        const prompt = toList(messages).slice(0, toList(messages).length - written.messages.length)
        const joined: Conversation = {
          ...own,
          ...conversation,
          ...(conversation.extra?.dialect === "chat" && own.extra !== undefined
            ? { extra: own.extra }
            : undefined),
          sampling: own.sampling,
          stop: own.stop,
          tools,
          turns: [...prompt.flatMap(toSystemTurn), ...conversation.turns]
        }
        return { parsed: yield* parseChatOf(joined, merged, settings, preset), tools }
      })
    : Effect.map(parseChatOf(conversation, config, settings), (parsed) => ({
        parsed,
        tools: conversation.tools
      }))

const isSystem = ({ role }: Turn): boolean => role === "system"

const toSettings = (merged: Readonly<Record<string, unknown>>) =>
  Result.mapError(
    parseChatSettings(selectFields(merged, (name) => !isRouterField(name))),
    ({ path, problem }) => new InvalidRequest({ path, problem })
  )

/** Tools of another API's provider, which a chat cannot write. */
const isForeign = (tool: Tool): boolean => tool.type === "server" && tool.dialect !== "chat"

/** The tools of the conversation as they are there, and those that the preset adds. */
const joinTools = (
  merged: ReadonlyArray<unknown>,
  written: ReadonlyArray<unknown>,
  { tools }: Conversation
): ReadonlyArray<Tool> => {
  const own = tools.filter((tool) => !isForeign(tool))
  const texts = written.map((tool) => JSON.stringify(tool))
  return merged.flatMap((tool): ReadonlyArray<Tool> => {
    const found = own[texts.indexOf(JSON.stringify(tool))]
    return found === undefined ? parseTools([tool], undefined) : [found]
  })
}

const toSystemTurn = (message: unknown): ReadonlyArray<Turn> =>
  isObject(message) && typeof message["content"] === "string"
    ? [{ role: "system", parts: [{ type: "text", text: message["content"] }] }]
    : []

/**
 * Makes a chat of a conversation, with the checks of the HTTP API. `config` has the fields of a chat request that the
 * conversation does not say.
 */
const parseChatOf = (
  conversation: Conversation,
  config: object,
  settings: SettingsShape,
  preset?: AppliedPreset
): Effect.Effect<ParsedChat, InvalidRequest | RequestTooLarge> => {
  if (!isConversation(conversation)) return Effect.fail(notAConversation)
  const said = writeChatParameters(conversation)
  return Effect.flatMap(
    Effect.all([
      stringifyRequest(conversation),
      Effect.flatMap(flattenExtra({ ...config, ...said }), (flat) =>
        Effect.fromResult(requireJsonObject(flat))
      )
    ]),
    ([{ bytes }, fields]) => {
      if (isDeeperThan(conversation, settings.maxJsonDepth)) {
        const problem = `the body nests deeper than ${settings.maxJsonDepth} levels`
        return Effect.fail(new InvalidRequest({ path: [], problem }))
      }
      return parseInProcess(
        selectFields(fields, (name) => !Object.hasOwn(said, name)),
        settings,
        (json, options) =>
          decodeFields(json, { ...options, bytes: options.bytes + bytes, conversation, preset })
      )
    }
  )
}

/** Applications without types may pass anything. */
const isConversation = (value: unknown): boolean =>
  isObject(value) &&
  [value["turns"], value["tools"], value["stop"]].every(Array.isArray) &&
  isObject(value["sampling"])

const notAConversation = new InvalidRequest({
  path: ["conversation"],
  problem: "must have turns, tools, sampling and stop"
})

interface FieldOptions extends ParseOptions {
  readonly conversation: Conversation
}

const decodeFields = (
  json: unknown,
  { conversation, ...options }: FieldOptions
): ParseResult<ParsedChat> =>
  Result.flatMap(requireJsonObject(json), (fields) =>
    decodeConversation(
      {
        native: {
          dialect: "chat",
          // Only a server of the chat dialect gets it.
          get body() {
            const { messages, parameters } = writeChatRequest(conversation, {
              takesToolImages: true
            })
            const given = selectFields(fields, (name) => !isRouterField(name))
            return { ...parameters, ...given, messages }
          }
        },
        conversation,
        routerFields: fields,
        toNativePath: (path) => path
      },
      options
    )
  )
