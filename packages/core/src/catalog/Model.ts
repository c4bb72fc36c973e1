/** A model of the catalog, with the endpoints that serve it. */
import { ModelSlug } from "../values/ModelSlug.ts"
import * as Endpoint from "./Endpoint.ts"

/** A model as a host writes it. */
export interface ModelConfig {
  /** `author/name`, with a static variant where there is one: `author/name:free`. */
  readonly id: string
  /** What people call it; default: the id. */
  readonly name?: string
  /** The family it belongs to: `~author/family-latest` means the newest visible model of it. */
  readonly family?: string
  /** When it appeared, in seconds since the epoch; absent counts as the oldest. */
  readonly created?: number
  /** Served under its exact name, but no alias means it; default: false. */
  readonly hidden?: boolean
  /** Whether its author allows training other models on its output; absent means no. */
  readonly distillable?: boolean
  readonly endpoints: ReadonlyArray<Endpoint.EndpointConfig>
}

export interface Model {
  readonly id: ModelSlug
  readonly name: string
  readonly family: string | undefined
  readonly created: number | undefined
  readonly hidden: boolean
  readonly distillable: boolean
  readonly endpoints: ReadonlyArray<Endpoint.Endpoint>
}

/** Throws a `RangeError` naming what is wrong. */
export const make = (config: ModelConfig): Model => {
  const { created, family, name = config.id } = config
  if (config.id === "") throw new RangeError("a model has no id; call it author/name")
  const wrong = (what: string) => new RangeError(`model "${config.id}": ${what}`)
  if (config.id.startsWith("~")) throw wrong("a name with ~ is an alias; give the model a family")
  if (name.trim() === "") throw wrong("name is empty; leave it out")
  if (family?.trim() === "") throw wrong("family is empty; leave it out")
  if (family !== undefined && !config.id.includes("/")) {
    throw wrong("a family is its author's; call the model author/name")
  }
  if (created !== undefined && !(Number.isSafeInteger(created) && created >= 0)) {
    throw wrong("created must be whole seconds since the epoch")
  }
  // One model dated in milliseconds would be the newest of its family for ever.
  if (created !== undefined && created > year5000) {
    throw wrong("created must be seconds since the epoch, these are milliseconds")
  }
  const id = ModelSlug.make(config.id)
  return {
    id,
    name,
    family,
    created,
    hidden: config.hidden === true,
    distillable: config.distillable === true,
    endpoints: config.endpoints.map((endpoint) => Endpoint.make(id, endpoint))
  }
}

const year5000 = 95_617_584_000
