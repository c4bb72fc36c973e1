/**
 * A catalog of real models from the reference list and the reference table, completed with
 * synthetic values.
 */
import { readFileSync } from "node:fs"
import { applyOverlay } from "../../../src/engine/catalog/CatalogOverlay.ts"
import { parseModelList } from "../../../src/engine/catalog/source/parseModelList.ts"
import type { ModelConfig } from "../../../src/engine/catalog/model/Model.ts"
import type { Upstream } from "../../../src/engine/upstreams/Upstream.ts"
import { toEndpointConfigs, type EndpointTable } from "./endpointTable.ts"
import { makeSyntheticOverlay, syntheticProviders } from "./syntheticOverlay.ts"

/** The path of a reference file. */
type ResolvePath = (file: string) => string

/** The fields of the list that the tests compare. */
export interface ModelList {
  readonly data: ReadonlyArray<{
    readonly id: string
    readonly canonical_slug: string
    readonly pricing: object
  }>
}

export const readModelList = (path: ResolvePath): ModelList =>
  JSON.parse(readFileSync(path("data/models-snapshot.json"), "utf8"))

export const readEndpointTable = (path: ResolvePath): EndpointTable =>
  JSON.parse(readFileSync(path("data/models-dev-endpoints-by-base-model.json"), "utf8"))

/** Sorted by name. Models that only the table has are added without an age. */
export const loadRealModels = (path: ResolvePath): ReadonlyArray<ModelConfig> => {
  const listed = parseModelList(readModelList(path))
  const table = readEndpointTable(path)
  const names = new Set(listed.map(({ id }) => id))
  return [
    ...listed.map((model) =>
      Object.hasOwn(table, model.id)
        ? { ...model, endpoints: toEndpointConfigs(table[model.id]!) }
        : model
    ),
    ...Object.entries(table)
      .filter(([id]) => !names.has(id))
      .map(([id, lines]) => ({ id, endpoints: toEndpointConfigs(lines) }))
  ].toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

export const loadReferenceModels = (path: ResolvePath): ReadonlyArray<ModelConfig> =>
  applyOverlays(loadRealModels(path))

export const applyOverlays = (models: ReadonlyArray<ModelConfig>): ReadonlyArray<ModelConfig> =>
  applyOverlay(models, makeSyntheticOverlay(models))

/** One upstream for each provider of the models; its behavior does not matter. */
export const makeUpstreams = (models: ReadonlyArray<ModelConfig>): ReadonlyArray<Upstream> =>
  Array.from(
    new Set([
      ...syntheticProviders,
      ...models.flatMap(({ endpoints = [] }) => endpoints.map(({ provider }) => provider))
    ]),
    (slug) => ({ slug, name: `The ${slug} Cloud` })
  )
