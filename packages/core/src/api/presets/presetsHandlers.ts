/** Handlers of the operations on presets. */
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import { Settings } from "../../instance/Settings.ts"
import { Presets } from "../../domains/presets/Presets.ts"
import type { Preset } from "../../domains/presets/Preset.ts"
import { chatLimit } from "../body/BodyLimit.ts"
import { isJson } from "../body/contentType.ts"
import { deletedResponse, toPageResponse } from "../contract/envelopes.ts"
import { toOffsetRequest } from "../contract/pageQueries.ts"
import { NotJson } from "../errors/HttpErrors.ts"
import type { Handlers } from "../operation/Handler.ts"
import type { RequestContext } from "../operation/RequestContext.ts"
import type { PresetsApi } from "./PresetsApi.ts"
import { parsePresetSettings, type SavedApi } from "./parsePresetSettings.ts"

interface SlugInput {
  readonly params: { readonly slug: string }
}

export const presetsHandlers = Effect.gen(function* () {
  const presets = yield* Presets
  const settings = yield* Settings
  const limit = chatLimit(settings)

  const save = (api: SavedApi) =>
    Effect.fnUntraced(function* ({ params }: SlugInput, context: RequestContext) {
      const { caller, headers, readBody } = context
      if (!isJson(headers)) return yield* new NotJson()
      const { bytes, json } = yield* readBody(limit)
      const saved = yield* Effect.fromResult(parsePresetSettings(api, json, { bytes, settings }))
      return toData(yield* presets.save(caller, params.slug, saved))
    })

  return {
    list: ({ query }, { caller }) =>
      Effect.map(presets.list(caller, toOffsetRequest(query)), (page) =>
        toPageResponse(page, toSummary)
      ),
    get: ({ params }, { caller }) => Effect.map(presets.get(caller, params.slug), toData),
    listVersions: ({ params, query }, { caller }) =>
      Effect.map(presets.listVersions(caller, params.slug, toOffsetRequest(query)), (page) =>
        toPageResponse(page)
      ),
    getVersion: ({ params }, { caller }) =>
      Effect.map(presets.getVersion(caller, params.slug, params.version), toData),
    saveChat: save("chat"),
    saveMessages: save("messages"),
    saveResponses: save("responses"),
    update: ({ params, payload }, { caller }) =>
      Effect.map(presets.update(caller, params.slug, payload), toData),
    delete: ({ params }, { caller }) =>
      Effect.as(presets.remove(caller, params.slug), deletedResponse)
  } satisfies Handlers<typeof PresetsApi>
})

const toData = <A>(data: A) => ({ data })

const toSummary = (preset: Preset) => Struct.omit(preset, ["designated_version"])
