/** The endpoints of a configuration that match a filter, found once, since a configuration may have very many. */
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import type { EndpointFilter } from "./EndpointQuery.ts"

/** The part of an endpoint that lists need. */
export type IndexedEndpoint = Pick<Endpoint, "id" | "model" | "provider">

export interface EndpointIndex {
  /** In the order of the host. */
  readonly endpoints: ReadonlyArray<IndexedEndpoint>
  /** By model, and for each model in the order of the host. */
  readonly byModel: () => ReadonlyArray<IndexedEndpoint>
  /** Undefined for an id that does not match. */
  readonly find: (id: string) => IndexedEndpoint | undefined
}

/** Undefined without a filter. */
const toPredicate = (
  { upstreams }: Pick<Configuration, "upstreams">,
  { model, provider, q }: EndpointFilter
): ((endpoint: IndexedEndpoint) => boolean) | undefined => {
  const words = q?.toLowerCase().split(/\s+/).filter(Boolean) ?? []
  if (words.length === 0 && model === undefined && provider === undefined) return undefined
  return (endpoint) => {
    if (model !== undefined && endpoint.model !== model) return false
    if (
      provider !== undefined &&
      endpoint.provider !== provider &&
      upstreams.get(endpoint.provider)?.name !== provider
    ) {
      return false
    }
    if (words.length === 0) return true
    const id = endpoint.id.toLowerCase()
    return words.every((word) => id.includes(word))
  }
}

/** The parts of a configuration that the index reads. */
export type IndexedConfiguration = Pick<Configuration, "upstreams"> & {
  readonly models: ReadonlyArray<{
    readonly id: string
    readonly endpoints: ReadonlyArray<IndexedEndpoint>
  }>
}

export const makeEndpointIndex = (
  configuration: IndexedConfiguration,
  filter: EndpointFilter = {}
): EndpointIndex => {
  const matches = toPredicate(configuration, filter)
  const select = (models: IndexedConfiguration["models"]) =>
    models.flatMap(({ endpoints }) =>
      matches === undefined ? endpoints : endpoints.filter(matches)
    )
  let sorted: ReadonlyArray<IndexedEndpoint> | undefined
  let byId: ReadonlyMap<string, ReadonlyArray<IndexedEndpoint>> | undefined
  const findIn = (model: string, id: string): IndexedEndpoint | undefined => {
    byId ??= new Map(configuration.models.map((model) => [model.id, model.endpoints] as const))
    return byId.get(model)?.find((endpoint) => endpoint.id === id)
  }
  return {
    endpoints: select(configuration.models),
    byModel: () =>
      (sorted ??= select(
        configuration.models.toSorted((one, other) => (one.id < other.id ? -1 : 1))
      )),
    find: (id) => {
      // Names may have an `@`, too. A map of all ids would take as long as everything else together.
      for (let at = id.indexOf("@"); at !== -1; at = id.indexOf("@", at + 1)) {
        const found = findIn(id.slice(0, at), id)
        if (found !== undefined) return matches?.(found) === false ? undefined : found
      }
      return undefined
    }
  }
}
