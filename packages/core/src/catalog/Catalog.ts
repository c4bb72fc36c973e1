/** The models of this process: one immutable value, read without I/O. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Upstreams } from "../upstreams/Upstreams.ts"
import * as Model from "./Model.ts"

export class Catalog extends Context.Service<
  Catalog,
  {
    readonly find: (slug: string) => Model.Model | undefined
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
        const bySlug = new Map<string, Model.Model>()
        for (const model of models) {
          if (bySlug.has(model.id)) throw new RangeError(`two models are called "${model.id}"`)
          bySlug.set(model.id, model)
          checkEndpoints(model, upstreams)
        }
        return { find: (slug) => bySlug.get(slug), models }
      })
    )
}

const checkEndpoints = (model: Model.Model, upstreams: Upstreams["Service"]): void => {
  if (model.endpoints.length === 0) {
    throw new RangeError(`model "${model.id}" has no endpoint; give it at least one`)
  }
  const ids = new Set<string>()
  for (const { id, provider, tag } of model.endpoints) {
    if (ids.has(id)) {
      throw new RangeError(`model "${model.id}" has two endpoints "${tag}"; give each a variant`)
    }
    ids.add(id)
    if (upstreams.find(provider) === undefined) {
      throw new RangeError(
        `model "${model.id}" names the provider "${provider}", but no upstream has that slug`
      )
    }
  }
}
