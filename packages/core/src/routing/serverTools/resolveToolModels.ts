/** Finds the models of the catalog that the models named by tools may stand for. */
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import type { Model } from "../../engine/catalog/model/Model.ts"
import type { Requirements, ResolvedToolModel } from "../Requirements.ts"

/** The same object for a request whose tools name no models. */
export const resolveToolModels = (
  requirements: Requirements,
  configuration: Configuration
): Requirements => {
  const { toolModels } = requirements
  if (toolModels === undefined) return requirements
  const resolve = (found: ResolvedToolModel): ResolvedToolModel => ({
    ...found,
    slugs: listModels(found.name, configuration).map(({ card, id }) => [id, card.canonical_slug])
  })
  return {
    ...requirements,
    toolModels: Object.fromEntries(
      Object.entries(toolModels).map(([dialect, list]) => [dialect, list.map(resolve)])
    )
  }
}

/** Finds the model by a slug of the catalog, else every model that some provider calls by this name. */
const listModels = (name: string, { models, resolve }: Configuration): ReadonlyArray<Model> => {
  const resolved = resolve(name)
  if (resolved !== undefined) return [resolved.model]
  const wanted = name.toLowerCase()
  return models.filter(({ endpoints }) =>
    endpoints.some(({ upstreamModel }) => upstreamModel.toLowerCase() === wanted)
  )
}
