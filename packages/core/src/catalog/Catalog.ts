/** The models of this process: one immutable value, read without I/O. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Upstreams } from "../upstreams/Upstreams.ts"
import { latestByAlias } from "./latestByAlias.ts"
import * as Model from "./Model.ts"
import { splitVariant, type Variant } from "./Variant.ts"

/** What a slug stands for: always a concrete model, however it was named. */
export interface Resolved {
  readonly model: Model.Model
  /** The dynamic suffix it was named with. */
  readonly variant?: Variant
  /** The alias it was named by, without the suffix. */
  readonly alias?: string
}

export class Catalog extends Context.Service<
  Catalog,
  {
    /** By exact slug, by alias (`~author/family-latest`), either with a dynamic suffix (`:nitro`). */
    readonly resolve: (slug: string) => Resolved | undefined
    readonly models: ReadonlyArray<Model.Model>
  }
>()("@signalbox/core/catalog/Catalog") {
  /**
   * Throws a `RangeError` saying what to mend when two models or two endpoints of a model share a
   * name, when a model has no endpoint, or when an endpoint names an upstream that is not there.
   */
  static readonly layer = (
    configs: ReadonlyArray<Model.ModelConfig>
  ): Layer.Layer<Catalog, never, Upstreams> =>
    Layer.effect(
      Catalog,
      Effect.map(Upstreams, (upstreams) => {
        const models = configs.map(Model.make)
        const byName = new Map<string, Resolved>()
        for (const model of models) {
          if (byName.has(model.id)) throw new RangeError(`two models are called "${model.id}"`)
          byName.set(model.id, { model })
          checkEndpoints(model, upstreams)
        }
        for (const [alias, model] of latestByAlias(models)) byName.set(alias, { model, alias })
        return { resolve: (slug) => byName.get(slug) ?? ofVariant(slug, byName), models }
      })
    )
}

/** A listed model wins over the dynamic reading of its name: this is asked only when there is none. */
const ofVariant = (slug: string, byName: ReadonlyMap<string, Resolved>): Resolved | undefined => {
  const parts = splitVariant(slug)
  const named = parts === undefined ? undefined : byName.get(parts.base)
  return parts === undefined || named === undefined
    ? undefined
    : { ...named, variant: parts.variant }
}

const checkEndpoints = (model: Model.Model, upstreams: Upstreams["Service"]): void => {
  if (model.endpoints.length === 0) {
    throw new RangeError(`model "${model.id}" has no endpoint; give it at least one`)
  }
  const names = new Set<string>()
  for (const { provider, tag } of model.endpoints) {
    // Requests name them in any case.
    const name = tag.toLowerCase()
    if (names.has(name)) {
      throw new RangeError(`model "${model.id}" has two endpoints "${tag}"; give each a variant`)
    }
    names.add(name)
    if (upstreams.find(provider) === undefined) {
      throw new RangeError(
        `model "${model.id}" names the provider "${provider}", but no upstream has that slug`
      )
    }
  }
}
