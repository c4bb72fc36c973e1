/** Converts a chat to its routing query. */
import type * as Arr from "effect/Array"
import type { Caller } from "../../../tenants/auth/Caller.ts"
import type { Requirements } from "../../../routing/Requirements.ts"
import { toPresetWish } from "../../../routing/cache/CacheWish.ts"
import * as Preferences from "../../../routing/Preferences.ts"
import type { RouteQuery } from "../../../routing/RouteQuery.ts"
import type { ChatCapability } from "../../../engine/upstreams/ChatCapability.ts"
import type { Upstream } from "../../../engine/upstreams/Upstream.ts"
import { findRequestedConditions } from "../toServed.ts"
import type { ParsedChat } from "./parseChatRequest.ts"

export const toChatQuery = (
  caller: Caller,
  models: Arr.NonEmptyReadonlyArray<string>,
  parsed: ParsedChat,
  timeoutMillis?: number
): RouteQuery<ChatCapability> => {
  const query: Draft<RouteQuery<ChatCapability>> = {
    caller,
    models,
    conversation: parsed,
    operation: "chat",
    capability: getChatCapability,
    preferences: toPreferences(parsed.request),
    requirements: toRequirements(parsed),
    timeoutMillis
  }
  const { user } = parsed.request
  if (user !== undefined) query.externalUser = user
  if (parsed.filtered !== undefined) query.filtered = parsed.filtered
  if (parsed.preset !== undefined) query.cache = toPresetWish(parsed.preset)
  return query
}

/** `route: "sort"` is the older name of a sort over the endpoints of all models. */
const toPreferences = ({ provider, route }: ParsedChat["request"]): Preferences.Preferences => {
  const preferences = provider ?? Preferences.none
  if (route !== "sort") return preferences
  const { sort } = preferences
  const given = typeof sort === "string" ? { by: sort } : sort
  return { ...preferences, sort: { partition: "none", ...given } }
}

type Draft<A> = { -readonly [K in keyof A]: A[K] }

const toRequirements = (parsed: ParsedChat): Requirements => {
  const { inputTokens, maxOutputTokens, native, parameters, said, serverTools, toolModels } = parsed
  const { service_tier: tier } = parameters
  const requirements: Draft<Requirements> = {
    parameters: Object.keys(parameters),
    ignoredParameters: parsed.ignored,
    preferredParameters: listPreferred(parameters),
    inputTokens,
    outputTokens: maxOutputTokens ?? 0,
    // Without a limit the answer is taken to be as long as the prompt, so the mean of both prices ranks.
    expectedOutputTokens: maxOutputTokens ?? inputTokens,
    images: parsed.images
  }
  const { compression } = parsed
  // The first message and the last stay.
  if (compression !== false && said.countMessages() > 2) {
    requirements.compression = compression === undefined ? "default" : "asked"
  }
  if (compression !== undefined && compression !== false) {
    requirements.compressionFields = compression
  }
  if (parsed.inputs !== undefined) requirements.inputs = parsed.inputs
  if (tier === "flex" || tier === "priority") requirements.tier = tier
  const conditions = findRequestedConditions(parsed)
  if (conditions !== undefined) requirements.conditions = conditions
  const { reasoningFamilies, signedBy } = said.findReasoningFamilies()
  if (reasoningFamilies !== undefined) requirements.reasoningFamilies = reasoningFamilies
  if (signedBy !== undefined) requirements.signedBy = signedBy
  if (serverTools !== undefined) requirements.serverTools = serverTools
  if (toolModels !== undefined) requirements.toolModels = toolModels
  const { choosesModelAt, dialect, fields, neededAt } = native
  if (neededAt !== undefined) requirements.dialect = { dialect, path: neededAt }
  const prefill = said.findPrefill()
  if (prefill !== undefined) requirements.prefillAt = toPath(native, prefill)
  if (fields !== undefined) requirements.nativeFields = { dialect, names: fields }
  if (choosesModelAt !== undefined) requirements.modelChoice = { dialect, path: choosesModelAt }
  return requirements
}

/**
 * The path of a message in the caller's request. In another API it is the path of the last message, because the indices
 * of the chat differ.
 */
const toPath = ({ body, dialect }: ParsedChat["native"], index: number): string => {
  if (dialect === "chat") return `messages.${index}`
  const name = dialect === "responses" ? "input" : "messages"
  const list = body[name]
  return Array.isArray(list) ? `${name}.${list.length - 1}` : name
}

const getChatCapability = ({ chat }: Upstream): ChatCapability | undefined => chat

/** Endpoints that support these are preferred over others of their model. */
const preferredParameters = ["tools", "response_format", "verbosity"]

/** A request for the flex tier avoids endpoints of another price where a flex endpoint exists. */
const listPreferred = (parameters: ParsedChat["parameters"]): ReadonlyArray<string> => {
  const wanted = preferredParameters.filter((name) => Object.hasOwn(parameters, name))
  return parameters["service_tier"] === "flex" ? ["service_tier", ...wanted] : wanted
}
