/** Writes the settings of a preset in the words of the API that a request came by. */
import * as Result from "effect/Result"
import type { Conversation, Tool } from "../../conversation/Conversation.ts"
import { parseChatSettings } from "../../dialects/chat/parseRequest.ts"
import { findLostFields } from "../../dialects/lost/reportLostFields.ts"
import { writeMessagesRequest } from "../../dialects/messages/writeRequest.ts"
import { encryptedReasoning } from "../../dialects/responses/parseRequest.ts"
import { writeResponsesRequest } from "../../dialects/responses/writeRequest.ts"
import { omitFields, type UntranslatableRequest } from "../../dialects/UntranslatableRequest.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { toList } from "../../values/json/guards.ts"
import { setOwn } from "../../values/ownFields.ts"
import type { PresetApi } from "./Preset.ts"

type Json = Readonly<Record<string, unknown>>

/** Of the cache of answers, not of the model. */
const cacheFields: ReadonlySet<string> = new Set(["cache_enabled", "cache_ttl_seconds"])

/** Fields of the router, which every API has under the same names. */
const sharedFields: ReadonlySet<string> = new Set([
  "model",
  "models",
  "plugins",
  "provider",
  "route",
  "transforms"
])

/** What a Decision has in common with a chat. */
const decisionFields: ReadonlySet<string> = new Set(["model", "models", "provider"])

/** Settings that the API does not have are left out; fails for those that it would misunderstand. */
export const toNativeConfig = (
  api: PresetApi,
  config: Json
): Result.Result<Json, InvalidRequest> => {
  switch (api) {
    case "chat":
      return Result.succeed(pick(config, (name) => !cacheFields.has(name)))
    case "decisions":
      return Result.succeed(pick(config, (name) => decisionFields.has(name)))
    case "messages":
      return translate(config, writeForMessages)
    case "responses":
      return translate(config, writeForResponses)
  }
}

type Written = Result.Result<Json, UntranslatableRequest>

const translate = (
  config: Json,
  write: (conversation: Conversation, config: Json) => Written
): Result.Result<Json, InvalidRequest> => {
  const parameters = pick(config, (name) => !sharedFields.has(name) && !cacheFields.has(name))
  const written = Result.flatMap(parseChatSettings(parameters), (settings) => {
    const { tools } = settings
    const conversation = { ...settings, turns: placeholder, tools: tools.filter(isCallable) }
    return Result.flatMap(write(conversation, parameters), (fields) =>
      Result.map(
        Result.all(
          tools.map((tool) =>
            tool.type === "server"
              ? Result.succeed(tool.raw)
              : Result.map(
                  write({ ...emptyConversation, tools: [tool] }, {}),
                  (fields) => toList(fields["tools"])[0]
                )
          )
        ),
        (all) => (all.length === 0 ? fields : { ...fields, tools: all })
      )
    )
  })
  return Result.mapBoth(written, {
    onSuccess: (fields) => ({ ...pick(config, (name) => sharedFields.has(name)), ...fields }),
    onFailure: ({ path, problem }) =>
      new InvalidRequest({ path: ["preset", "config", ...path], problem })
  })
}

/** A request must have something to answer. */
const placeholder: Conversation["turns"] = [{ role: "user", parts: [{ type: "text", text: "-" }] }]

const emptyConversation: Conversation = { turns: placeholder, tools: [], sampling: {}, stop: [] }

const isCallable = ({ type }: Tool): boolean => type !== "server"

const writeForMessages = (conversation: Conversation): Written =>
  Result.map(
    // Without a cap of the preset, none is written.
    writeMessagesRequest(conversation, { maxOutputTokens: 32_768 }),
    (written) => {
      const fields = pick(written, (name) => !requestFields.has(name))
      const { max_tokens, ...uncapped } = fields
      return conversation.maxOutputTokens === undefined ? uncapped : { ...uncapped, max_tokens }
    }
  )

/** What a written request has besides settings. */
const requestFields: ReadonlySet<string> = new Set(["input", "messages", "model", "store"])

/** Other parameters, such as `seed`, have their names in chat in this API. */
const writeForResponses = (conversation: Conversation, parameters: Json): Written =>
  Result.map(
    writeResponsesRequest(conversation, { model: "", takesAdditions: true }),
    (written) => {
      const { include, ...fields } = pick(written, (name) => !requestFields.has(name))
      const included = toList(include).filter((name) => name !== encryptedReasoning)
      return {
        ...pick(parameters, (name) => !translatedNames.has(name)),
        ...fields,
        ...(included.length === 0 ? undefined : { include: included })
      }
    }
  )

/** The parameters of a chat that the Responses API says in its own way. */
const translatedNames: ReadonlySet<string> = new Set([
  "frequency_penalty",
  "function_call",
  "functions",
  "include_reasoning",
  "logprobs",
  "max_completion_tokens",
  "max_tokens",
  "parallel_tool_calls",
  "presence_penalty",
  "reasoning",
  "reasoning_effort",
  "response_format",
  "temperature",
  "thinking",
  "tool_choice",
  "tools",
  "top_k",
  "top_logprobs",
  "top_p",
  "verbosity"
])

const pick = (fields: Json, isPicked: (name: string) => boolean): Json => {
  const picked: Record<string, unknown> = {}
  for (const name of Object.keys(fields)) {
    if (isPicked(name)) setOwn(picked, name, fields[name])
  }
  return picked
}

/**
 * Finds the settings of a preset that the API of a request cannot say, by names such as `preset.seed`. `merged` is
 * the request with what it takes of the preset.
 */
export const listLostSettings = (
  api: PresetApi,
  config: Json,
  merged: Json
): ReadonlyArray<string> => {
  const settings = omitFields(config, cacheFields)
  return listLost(api, settings, merged).map((name) => `preset.${name}`)
}

const listLost = (api: PresetApi, settings: Json, merged: Json): ReadonlyArray<string> => {
  switch (api) {
    case "chat":
      return []
    case "decisions":
      return Object.keys(settings).filter((name) => !decisionFields.has(name))
    case "messages":
    case "responses": {
      const native = { dialect: "chat", body: omitFields(settings, sharedFields) } as const
      return findLostFields(native, api, merged).filter(
        (name) => !Object.hasOwn(merged, name.split(".", 1)[0] ?? "")
      )
    }
  }
}
