/** Makes a chat of a conversation, with the checks of the HTTP API. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { decodeConversation } from "./decodeNativeChat.ts"
import { flattenExtra, isRouterField, type ParsedChat } from "./parseChatRequest.ts"
import type { Conversation } from "../../../conversation/Conversation.ts"
import { writeChatParameters, writeChatRequest } from "../../../dialects/chat/writeRequest.ts"
import {
  type AppliedPreset,
  type ParseOptions,
  type ParseResult,
  parseInProcess,
  requireJsonObject,
  selectFields
} from "../../../routing/parseRequest.ts"
import type { SettingsShape } from "../../../instance/Settings.ts"
import { InvalidRequest, type RequestTooLarge } from "../../../values/errors/RequestErrors.ts"
import { isObject } from "../../../values/json/guards.ts"
import { isDeeperThan } from "../../../values/json/JsonCost.ts"
import { stringifyRequest } from "../../../values/json/parseJson.ts"

/** `config` has the fields of a chat request that the conversation does not say. */
export const parseChatOf = (
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
export const isConversation = (value: unknown): boolean =>
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
