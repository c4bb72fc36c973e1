/** What a host adds to models from a catalog source, or corrects in them. */
import { isObject } from "../values/json/isObject.ts"
import { describeUnknownName } from "../values/validation/findNearestName.ts"
import type { EndpointConfig } from "./endpoint/Endpoint.ts"
import type { ModelConfig } from "./model/Model.ts"

/**
 * By model id. What is stated replaces what the source says; a card is replaced field by field, and
 * what is said of the data holds for every endpoint. Names nobody has do no harm: a list changes from
 * day to day.
 */
export type CatalogOverlay = Readonly<Record<string, ModelOverlay>>

/** What may be said of one model; `data`, `region` and `zdr` are said of all of its endpoints. */
export interface ModelOverlay
  extends Partial<Omit<ModelConfig, "id">>, Pick<EndpointConfig, "data" | "region" | "zdr"> {}

/** Throws a `RangeError` naming what an overlay cannot say. */
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
    Object.hasOwn(overlay, model.id) ? overlayModel(model, overlay[model.id]!) : model
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
    endpoints: endpoints.map((endpoint) => ({
      ...endpoint,
      ...(data === undefined ? undefined : { data }),
      ...(region === undefined ? undefined : { region }),
      ...(zdr === undefined ? undefined : { zdr })
    }))
  }
}

/** What an overlay may say; the compiler sees to it that nothing is forgotten. */
const overlayFields: Readonly<Record<keyof ModelOverlay, true>> = {
  card: true,
  categories: true,
  created: true,
  data: true,
  distillable: true,
  endpoints: true,
  family: true,
  hidden: true,
  name: true,
  region: true,
  toolSuccessRate: true,
  video: true,
  zdr: true
}
const knownFields: ReadonlySet<string> = new Set(Object.keys(overlayFields))
