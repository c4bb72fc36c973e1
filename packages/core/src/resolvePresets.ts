/** The presets of the options: checked when an instance is made. Loaded with the option. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import { parsePresetSettings } from "./api/presets/parsePresetSettings.ts"
import { type Preset, toVersion } from "./domains/presets/Preset.ts"
import { isPresetSlug, slugForm } from "./domains/presets/presetSlug.ts"
import { PresetPatch } from "./domains/presets/PresetSchemas.ts"
import { HostPresets } from "./domains/presets/Presets.ts"
import { Catalog } from "./engine/catalog/Catalog.ts"
import { Settings, type SettingsShape } from "./instance/Settings.ts"
import { decodeOption } from "./decodeOption.ts"
import type { Options, PresetConfig } from "./Options.ts"
import { isObject, toList } from "./values/json/guards.ts"
import { countJsonBytes } from "./values/json/JsonCost.ts"
import { omitUndefined } from "./values/ownFields.ts"
import { checkFieldNames, type FieldNames } from "./values/validation/checkFieldNames.ts"
import { suggestNames } from "./values/validation/findNearestName.ts"

/** Throws a `RangeError` that names the preset and the field at fault. */
export const layerHostPresets = ({ presets = {} }: Options) =>
  Layer.effect(
    HostPresets,
    Effect.gen(function* () {
      const settings = yield* Settings
      const at = DateTime.formatIso(yield* DateTime.now)
      return new Map(
        Object.entries(presets).map(([slug, config]) => [
          slug,
          makePreset(slug, config, { at, settings })
        ])
      )
    })
  )

const presetFields: FieldNames<PresetConfig> = {
  config: true,
  systemPrompt: true,
  name: true,
  description: true
}

/** Fields of a chat that belong to one request. */
const requestFields = ["messages", "session_id", "stream", "stream_options", "trace", "user"]

interface PresetOrigin {
  /** ISO 8601. */
  readonly at: string
  readonly settings: SettingsShape
}

const makePreset = (slug: string, given: unknown, { at, settings }: PresetOrigin): Preset => {
  const option = `presets.${slug}`
  if (!isPresetSlug(slug)) {
    throw new RangeError(`presets: ${JSON.stringify(slug)} is no slug; use ${slugForm}`)
  }
  if (!isObject(given) || !isObject(given["config"])) {
    throw new RangeError(
      `${option} must be an object such as { config: { model: "author/model" } }`
    )
  }
  checkFieldNames(given, "field of a preset", presetFields, `${option}: `)
  const { config, description, name, systemPrompt } = given
  if (systemPrompt !== undefined && typeof systemPrompt !== "string") {
    throw new RangeError(`${option}.systemPrompt must be a text`)
  }
  const named = decodeOption(option, PresetPatch, omitUndefined({ description, name }))
  const own = requestFields.find((field) => Object.hasOwn(config, field))
  if (own !== undefined) {
    throw new RangeError(`${option}.config.${own} belongs to a request; leave it out`)
  }
  const { extra = {}, ...fields } = config
  if (!isObject(extra)) throw new RangeError(`${option}.config.extra must be an object`)
  const request = {
    ...extra,
    ...fields,
    messages: [
      ...(systemPrompt === undefined ? [] : [{ role: "system", content: systemPrompt }]),
      { role: "user", content: "-" }
    ]
  }
  const id = `host/${slug}`
  const saved = Result.getOrThrowWith(
    parsePresetSettings("chat", request, { bytes: countJsonBytes(request), settings }),
    (error) =>
      new RangeError(
        error._tag === "InvalidRequest"
          ? `${[option, "config", ...error.path].join(".")}: ${error.problem}`
          : `${option} is larger than ${error.limitBytes} bytes`
      )
  )
  const version = toVersion(id, 1, { ...saved, id: `${id}/1`, creator: "host" }, at)
  return {
    id,
    workspace_id: null,
    slug,
    name: slug,
    description: null,
    ...named,
    status: "active",
    status_updated_at: null,
    creator_user_id: null,
    designated_version_id: version.id,
    created_at: at,
    updated_at: at,
    designated_version: version
  }
}

/** The models of the presets must be in the catalog, unless that may change at any time. */
export const layerPresetChecks = ({ models }: Options) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const catalog = (yield* Catalog).current()
      for (const { designated_version: version, slug } of (yield* HostPresets).values()) {
        const { model, models: fallbacks } = version?.config ?? {}
        for (const name of [model, ...toList(fallbacks)]) {
          if (typeof name !== "string" || isRouterModel(name)) continue
          if ((catalog.resolve(name) ?? catalog.resolve(toBase(name))) !== undefined) continue
          const ids = catalog.models.map(({ id }) => id)
          const message = `presets.${slug}.config: ${name} is no model of this catalog; ${
            ids.length === 0 ? "it is empty" : suggestNames(name, ids)
          }`
          if (Array.isArray(models)) throw new RangeError(message)
          yield* Effect.logWarning(message)
        }
      }
    })
  )

/** Names that stand for models of the catalog. */
const isRouterModel = (name: string): boolean =>
  name.startsWith("openrouter/") || name.startsWith("~")

const toBase = (name: string): string => name.replace(/:[^:/]*$/, "")
