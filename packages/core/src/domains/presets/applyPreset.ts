/** Applies a preset to a request: what the request says wins, field by field. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { isObject, toList } from "../../values/json/guards.ts"
import { countJsonBytes } from "../../values/json/JsonCost.ts"
import { omitUndefined, setOwn } from "../../values/ownFields.ts"
import { shorten } from "../../values/validation/text.ts"
import {
  type Preset,
  type PresetApi,
  type PresetBody,
  type PresetSettings,
  PresetUnavailable,
  type RequestBody
} from "./Preset.ts"
import { isPresetSlug, slugForm } from "./presetSlug.ts"
import { mergeTools } from "./mergeTools.ts"
import { presetMark } from "./namesPreset.ts"
import { listLostSettings, toNativeConfig } from "./toNativeConfig.ts"

type Json = Readonly<Record<string, unknown>>

/**
 * Fails for a preset that is not active, for a bad slug, and for two presets in one request. `find` finds a preset of the
 * caller.
 */
export const applyPreset = (
  api: PresetApi,
  { bytes, json }: RequestBody,
  find: (slug: string) => Effect.Effect<Preset | undefined>
): Effect.Effect<PresetBody, InvalidRequest | PresetUnavailable> =>
  Effect.gen(function* () {
    const body = isObject(json) ? json : {}
    const slug = yield* Effect.fromResult(findSlug(body))
    const preset = yield* find(slug)
    const version = preset?.designated_version
    if (preset === undefined || version === null || version === undefined) {
      return yield* new PresetUnavailable({ slug, status: "unknown" })
    }
    if (preset.status !== "active") {
      return yield* new PresetUnavailable({ slug, status: preset.status })
    }
    const merged = yield* Effect.fromResult(mergePreset(api, body, version))
    const { cache_enabled: isCached, cache_ttl_seconds: ttl } = version.config
    const lost = listLostSettings(api, version.config, merged)
    return {
      json: merged,
      // An upper bound, because a field of the request may replace one of the preset.
      bytes: bytes + countJsonBytes([version.config, version.system_prompt]),
      preset: {
        id: preset.id,
        ...omitUndefined({
          cacheEnabled: typeof isCached === "boolean" ? isCached : undefined,
          cacheTtlSeconds: typeof ttl === "number" ? ttl : undefined,
          lost: lost.length === 0 ? undefined : lost
        })
      }
    }
  })

/** The only preset that the request names, in its field `preset` or with its models. */
const findSlug = ({ model, models, preset }: Json): Result.Result<string, InvalidRequest> => {
  const named: Array<readonly [InvalidRequest["path"], unknown]> = []
  if (preset !== undefined && preset !== null) named.push([["preset"], preset])
  for (const [path, name] of [
    [["model"], model] as const,
    ...toList(models).map((each, at) => [["models", at], each] as const)
  ]) {
    const mention = findMention(name)
    if (mention !== undefined) named.push([path, mention.slug])
  }
  const [first] = named
  for (const [path, slug] of named) {
    if (typeof slug !== "string" || !isPresetSlug(slug)) {
      return invalid(path, `names a preset by its slug: expected ${slugForm}`)
    }
    if (slug !== first?.[1]) {
      return invalid(
        path,
        `names the preset ${slug} beside ${shorten(String(first?.[1]))}: a request uses one preset`
      )
    }
  }
  return Result.succeed(String(first?.[1]))
}

const invalid = (path: InvalidRequest["path"], problem: string) =>
  Result.fail(new InvalidRequest({ path, problem }))

interface Mention {
  /** Empty: the models of the preset. */
  readonly model: string
  readonly slug: string
}

const findMention = (name: unknown): Mention | undefined => {
  const at = typeof name === "string" ? name.indexOf(presetMark) : -1
  return typeof name === "string" && at >= 0
    ? { model: name.slice(0, at), slug: name.slice(at + presetMark.length) }
    : undefined
}

/** Fails when the API of the request cannot say what the preset sets. */
export const mergePreset = (
  api: PresetApi,
  body: Json,
  { config, system_prompt: prompt }: PresetSettings
): Result.Result<Json, InvalidRequest> =>
  Result.map(toNativeConfig(api, config), (native) => {
    const given = nameModels(body, config)
    const merged: Record<string, unknown> = {}
    for (const name of Object.keys(native)) {
      if (!isReplaced(name, given)) setOwn(merged, name, native[name])
    }
    for (const name of Object.keys(given)) {
      const value = given[name]
      if (name === "tools") merged["tools"] = mergeTools(native["tools"], value)
      // Clients write null for what they leave open.
      else if (value !== null || !Object.hasOwn(merged, name)) setOwn(merged, name, value)
    }
    if (api === "decisions" && merged["model"] === undefined) takeFirstModel(merged)
    return prompt === null || prompt === "" || api === "decisions"
      ? merged
      : addPrompt(api, merged, prompt)
  })

/** The request with the models that it means: those of the preset stand where it names the preset alone. */
const nameModels = (body: Json, config: Json): Json => {
  const { preset: _, ...rest } = body
  const given: Record<string, unknown> = rest
  const named = findMention(given["model"])
  if (named !== undefined) {
    if (named.model === "") Reflect.deleteProperty(given, "model")
    else given["model"] = named.model
  }
  if (!Array.isArray(given["models"])) return given
  const own = [config["model"], ...toList(config["models"])].filter(
    (model) => typeof model === "string"
  )
  const models = given["models"].flatMap((each: unknown) => {
    const mention = findMention(each)
    if (mention === undefined) return [each]
    return mention.model === "" ? own : [mention.model]
  })
  // Without a model of its own, the request tries its list in order.
  const [first, ...others] = models
  const isExpanded = (body["model"] ?? null) === null && given["models"].some(findMention)
  return isExpanded && first !== undefined
    ? { ...given, model: first, models: others }
    : { ...given, models }
}

/** Fields that say the same in two ways: the request's replaces both of the preset. */
const alternatives: ReadonlyArray<ReadonlySet<string>> = [
  new Set(["max_tokens", "max_completion_tokens"]),
  new Set(["reasoning", "reasoning_effort", "include_reasoning", "thinking"]),
  new Set(["models", "fallbacks"])
]

const isReplaced = (name: string, given: Json): boolean => {
  const same = alternatives.find((names) => names.has(name))
  if (same === undefined) return false
  for (const each of same) if ((given[each] ?? null) !== null) return true
  return false
}

/** A Decision needs a first model. */
const takeFirstModel = (merged: Record<string, unknown>): void => {
  const [first, ...rest] = toList(merged["models"])
  if (typeof first !== "string") return
  merged["model"] = first
  merged["models"] = rest
}

const isSystem = (message: unknown): boolean =>
  isObject(message) && (message["role"] === "system" || message["role"] === "developer")

/** A system prompt of the request replaces that of the preset. */
const addPrompt = (api: PresetApi, body: Json, prompt: string): Json => {
  switch (api) {
    case "chat": {
      const { messages } = body
      return !Array.isArray(messages) || messages.some(isSystem)
        ? body
        : { ...body, messages: [{ role: "system", content: prompt }, ...messages] }
    }
    case "messages":
      return (body["system"] ?? null) !== null || toList(body["messages"]).some(isSystem)
        ? body
        : { ...body, system: prompt }
    case "responses":
      return (body["instructions"] ?? null) !== null || toList(body["input"]).some(isSystem)
        ? body
        : { ...body, instructions: prompt }
    case "decisions":
      return body
  }
}
