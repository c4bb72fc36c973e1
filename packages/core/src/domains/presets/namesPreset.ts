/** Tells whether a request names a preset, and parses calls in process that may. */
import * as Effect from "effect/Effect"
import { type ParseOptions, parseInProcess, type ParseResult } from "../../routing/parseRequest.ts"
import type { SettingsShape } from "../../instance/Settings.ts"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { InvalidRequest, RequestTooLarge } from "../../values/errors/RequestErrors.ts"
import { copyRequest } from "../../values/json/parseJson.ts"
import type { PresetApi, PresetUnavailable } from "./Preset.ts"
import type { Presets } from "./Presets.ts"
import { isObject } from "../../values/json/guards.ts"

/** What the names of models contain that name a preset: `@preset/slug` and `author/name@preset/slug`. */
export const presetMark = "@preset/"

/** Asked of every request. */
export const namesPreset = (json: unknown): boolean => {
  if (!isObject(json)) return false
  const { model, models, preset } = json
  if (preset !== undefined && preset !== null) return true
  if (typeof model === "string" && model.includes(presetMark)) return true
  if (!Array.isArray(models)) return false
  for (let at = 0; at < models.length; at++) {
    const each: unknown = models[at]
    if (typeof each === "string" && each.includes(presetMark)) return true
  }
  return false
}

interface PresetUse {
  readonly api: PresetApi
  readonly caller: Caller
  readonly presets: Presets["Service"]
}

/** Like `parseInProcess`, with the settings of the preset that the request names. */
export const parseWithPreset = <A>(
  request: unknown,
  settings: SettingsShape,
  decode: (json: unknown, options: ParseOptions) => ParseResult<A>,
  { api, caller, presets }: PresetUse
): Effect.Effect<A, InvalidRequest | PresetUnavailable | RequestTooLarge> =>
  namesPreset(request)
    ? Effect.gen(function* () {
        const copy = yield* copyRequest(request, settings.maxJsonDepth)
        const { bytes, json, preset } = yield* presets.apply(caller, api, copy)
        return yield* Effect.fromResult(decode(json, { bytes, settings, preset }))
      })
    : parseInProcess(request, settings, decode)
