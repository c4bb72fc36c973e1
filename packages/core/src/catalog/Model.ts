/** A model of the catalog, with the endpoints that serve it. */
import { ModelSlug } from "../values/ModelSlug.ts"
import * as Endpoint from "./Endpoint.ts"

/** A model as a host writes it. */
export interface ModelConfig {
  /** `author/name`, with a static variant where there is one: `author/name:free`. */
  readonly id: string
  /** What people call it; default: the id. */
  readonly name?: string
  /** The family it belongs to: `~author/family-latest` means the newest of it. */
  readonly family?: string
  /** When it appeared, in seconds since the epoch. */
  readonly created?: number
  /** Whether its author allows training other models on its output; absent means no. */
  readonly distillable?: boolean
  readonly endpoints: ReadonlyArray<Endpoint.EndpointConfig>
}

export interface Model {
  readonly id: ModelSlug
  readonly name: string
  readonly family: string | undefined
  readonly created: number | undefined
  readonly distillable: boolean
  readonly endpoints: ReadonlyArray<Endpoint.Endpoint>
}

/** Throws a `RangeError` naming what is wrong. */
export const make = (config: ModelConfig): Model => {
  if (config.id === "") throw new RangeError("a model has no id; call it author/name")
  if (config.id.startsWith("~")) {
    throw new RangeError(`model "${config.id}": a name with ~ is an alias; give the model a family`)
  }
  if (config.created !== undefined && !(config.created >= 0)) {
    throw new RangeError(`model "${config.id}": created must be seconds since the epoch`)
  }
  const id = ModelSlug.make(config.id)
  return {
    id,
    name: config.name ?? config.id,
    family: config.family,
    created: config.created,
    distillable: config.distillable ?? false,
    endpoints: config.endpoints.map((endpoint) => Endpoint.make(id, endpoint))
  }
}
