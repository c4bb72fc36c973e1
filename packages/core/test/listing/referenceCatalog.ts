/** A catalog of real models: the reference list, the endpoints of the reference table, and what is made up to complete them. */
import { readFileSync } from "node:fs"
import { overlaid } from "../../src/catalog/CatalogOverlay.ts"
import { fromWire } from "../../src/catalog/fromWire.ts"
import type { ModelConfig } from "../../src/catalog/Model.ts"
import type { Upstream } from "../../src/upstreams/Upstream.ts"
import { endpointsOf, type EndpointTable } from "./endpointTable.ts"
import { madeUpOverlay, madeUpProviders } from "./madeUpOverlay.ts"

/** Where a file of the reference material is. */
type PathOf = (file: string) => string

/** What of the list is needed to compare by. */
export interface List {
  readonly data: ReadonlyArray<{
    readonly id: string
    readonly canonical_slug: string
    readonly pricing: object
  }>
}

export const readList = (path: PathOf): List =>
  JSON.parse(readFileSync(path("data/models-snapshot.json"), "utf8"))

export const readTable = (path: PathOf): EndpointTable =>
  JSON.parse(readFileSync(path("data/models-dev-endpoints-by-base-model.json"), "utf8"))

/** In the order of their names. Models of the table that the list has not are added, without an age. */
export const realModels = (path: PathOf): ReadonlyArray<ModelConfig> => {
  const listed = fromWire(readList(path))
  const table = readTable(path)
  const names = new Set(listed.map(({ id }) => id))
  return [
    ...listed.map((model) =>
      Object.hasOwn(table, model.id)
        ? { ...model, endpoints: endpointsOf(table[model.id]!) }
        : model
    ),
    ...Object.entries(table)
      .filter(([id]) => !names.has(id))
      .map(([id, lines]) => ({ id, endpoints: endpointsOf(lines) }))
  ].toSorted((one, other) => (one.id < other.id ? -1 : 1))
}

export const referenceModels = (path: PathOf): ReadonlyArray<ModelConfig> =>
  completed(realModels(path))

export const completed = (models: ReadonlyArray<ModelConfig>): ReadonlyArray<ModelConfig> =>
  overlaid(models, madeUpOverlay(models))

/** One upstream for each provider the models name; what it does is nobody's concern. */
export const upstreamsOf = (models: ReadonlyArray<ModelConfig>): ReadonlyArray<Upstream> =>
  Array.from(
    new Set([
      ...madeUpProviders,
      ...models.flatMap(({ endpoints }) => endpoints.map(({ provider }) => provider))
    ]),
    (slug) => ({ slug, name: `The ${slug} Cloud` })
  )
