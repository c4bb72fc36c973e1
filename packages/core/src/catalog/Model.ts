/** A model of the catalog, with the endpoints that serve it. */
import { ModelSlug } from "../values/ModelSlug.ts"
import * as Endpoint from "./Endpoint.ts"

/** A model as a host writes it. */
export interface ModelConfig {
  /** `author/name`. */
  readonly id: string
  /** What people call it; default: the id. */
  readonly name?: string
  /** Whether its author allows training other models on its output; absent means no. */
  readonly distillable?: boolean
  readonly endpoints: ReadonlyArray<Endpoint.EndpointConfig>
}

export interface Model {
  readonly id: ModelSlug
  readonly name: string
  readonly distillable: boolean
  readonly endpoints: ReadonlyArray<Endpoint.Endpoint>
}

export const make = (config: ModelConfig): Model => {
  if (config.id === "") throw new RangeError("a model has no id; call it author/name")
  const id = ModelSlug.make(config.id)
  return {
    id,
    name: config.name ?? config.id,
    distillable: config.distillable ?? false,
    endpoints: config.endpoints.map((endpoint) => Endpoint.make(id, endpoint))
  }
}
