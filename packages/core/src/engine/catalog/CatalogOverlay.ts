/** Additions and corrections of the host to models from a catalog source. */
import { isObject } from "../../values/json/guards.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { describeUnknownName } from "../../values/validation/findNearestName.ts"
import type { EndpointConfig } from "./endpoint/Endpoint.ts"
import { type ModelConfig, modelFields } from "./model/Model.ts"

/**
 * By model id. Fields replace those of the source; a card is replaced field by field, and data policies apply to
 * every endpoint. Unknown model ids are ignored, because lists change from day to day.
 */
export type CatalogOverlay = Readonly<Record<string, ModelOverlay>>

/** The overlay of one model; `data`, `region` and `zdr` apply to all of its endpoints. */
export interface ModelOverlay
  extends Partial<Omit<ModelConfig, "id">>, Pick<EndpointConfig, "data" | "region" | "zdr"> {}

/** Throws a `RangeError` for an unknown field. */
export const applyOverlay = (
  models: ReadonlyArray<ModelConfig>,
  overlay: CatalogOverlay
): ReadonlyArray<ModelConfig> => {
  for (const [id, added] of Object.entries(overlay)) {
    if (!isObject(added)) throw new RangeError(`the overlay of "${id}" is no object`)
    const stranger = Object.keys(added).find((name) => !knownFields.has(name))
    if (stranger !== undefined) {
      throw new RangeError(
        `the overlay of "${id}": ${describeUnknownName(stranger, "field of an overlay", Array.from(knownFields))}`
      )
    }
  }
  return models.map((model) =>
    isObject(model) && Object.hasOwn(overlay, model.id)
      ? overlayModel(model, overlay[model.id]!)
      : model
  )
}

const overlayModel = (
  model: ModelConfig,
  { data, region, zdr, ...added }: ModelOverlay
): ModelConfig => {
  const { endpoints } = { ...model, ...added }
  const card = added.card === undefined ? model.card : { ...model.card, ...added.card }
  return {
    ...model,
    ...added,
    id: model.id,
    ...(card === undefined ? undefined : { card }),
    ...(endpoints === undefined
      ? undefined
      : {
          endpoints: endpoints.map((endpoint) => ({
            ...endpoint,
            ...omitUndefined({ data, region, zdr })
          }))
        })
  }
}

const knownFields: ReadonlySet<string> = new Set(
  [...Object.keys(modelFields), "data", "region", "zdr"].filter((name) => name !== "id")
)
