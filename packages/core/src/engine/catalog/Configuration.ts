/** All a request is routed by that a host configures: upstreams and models, as one value that never changes. */
import { findNearestName } from "../../values/validation/findNearestName.ts"
import { containUpstream } from "../upstreams/containUpstream.ts"
import { isObject } from "../../values/json/guards.ts"
import type { Upstream } from "../upstreams/Upstream.ts"
import { indexLatestByAlias } from "./model/indexLatestByAlias.ts"
import { makeRouter, toRouterCard } from "./model/makeRouter.ts"
import * as Model from "./model/Model.ts"
import { splitVariant, type Variant } from "./model/Variant.ts"

/** The meaning of a slug: always a concrete model, for every kind of name. */
export interface ResolvedModel {
  readonly model: Model.Model
  /** The dynamic suffix it was named with. */
  readonly variant?: Variant
  /** The alias it was named by, without the suffix. */
  readonly alias?: string
}

/** Upstreams and models as one value that never changes, with a version. */
export interface Configuration {
  /** When it was made, in milliseconds since the epoch; two made at once differ by one. */
  readonly version: number
  /** All of them, the hidden ones too, in the order of the host. */
  readonly models: ReadonlyArray<Model.Model>
  /**
   * By exact slug, by canonical slug, by alias (its own, or `~author/family-latest`), each with a dynamic suffix
   * (`:nitro`) or without.
   */
  readonly resolve: (slug: string) => ResolvedModel | undefined
  /** By slug. Each call of their code ends with an answer or an `UpstreamFailure`: thrown errors are caught. */
  readonly upstreams: ReadonlyMap<string, Upstream>
}

/**
 * Throws a `RangeError` that says what to correct when two models, two upstreams or two endpoints of a model share a
 * name, or when an endpoint names a missing upstream. With `onInvalid`, such a model is left out instead.
 */
export const make = (
  version: number,
  upstreams: ReadonlyArray<Upstream>,
  configs: ReadonlyArray<Model.ModelConfig>,
  onInvalid?: (index: number, cause: unknown) => void
): Configuration => {
  const bySlug = new Map<string, Upstream>()
  for (const [index, upstream] of upstreams.entries()) {
    // Types alone do not hold: a host in JavaScript may have forgotten to call what makes one.
    if (!isObject(upstream) || !isName(upstream.slug) || !isName(upstream.name)) {
      throw new RangeError(
        `upstreams.${index} is no upstream with a slug and a name; make it by a call such as openai({ apiKey })`
      )
    }
    if (bySlug.has(upstream.slug)) {
      throw new RangeError(`two upstreams are called "${upstream.slug}"; give each its own slug`)
    }
    bySlug.set(upstream.slug, containUpstream(upstream))
  }
  const byIndex: Array<Model.Model | undefined> = configs.map(() => undefined)
  const byName = new Map<string, ResolvedModel>()
  const add = (config: Model.ModelConfig, index: number, others: ReadonlyArray<Model.Model>) => {
    try {
      const model = Model.make(config, `models.${index}`, bySlug, (router) => {
        const made = makeRouter(router, others)
        return { router: made, card: toRouterCard(made) }
      })
      if (byName.has(model.id)) throw new RangeError(`two models are called "${model.id}"`)
      checkEndpoints(model, bySlug)
      byName.set(model.id, { model })
      byIndex[index] = model
    } catch (cause) {
      if (onInvalid === undefined) throw cause
      onInvalid(index, cause)
    }
  }
  for (const [index, config] of configs.entries()) if (!hasRouter(config)) add(config, index, [])
  // After the others, among which they choose.
  for (const [index, config] of configs.entries()) {
    if (hasRouter(config)) add(config, index, byIndex.filter(isMade))
  }
  const models = byIndex.filter(isMade)
  // Variants share a canonical slug: it means the plain one, else the first.
  const plainFirst = models.toSorted((one, other) => countColons(one) - countColons(other))
  for (const model of plainFirst) {
    const { canonical_slug: canonical } = model.card
    if (!byName.has(canonical)) byName.set(canonical, { model })
  }
  for (const model of models) {
    for (const alias of model.aliases) {
      const taken = byName.get(alias)
      if (taken !== undefined) {
        throw new RangeError(
          `model "${model.id}": its alias "${alias}" is a name of ${taken.model.id}; choose another`
        )
      }
      byName.set(alias, { model, alias })
    }
  }
  for (const [alias, model] of indexLatestByAlias(models)) {
    if (!byName.has(alias)) byName.set(alias, { model, alias })
  }
  return {
    version,
    models,
    resolve: (slug) => byName.get(slug) ?? resolveVariant(slug, byName),
    upstreams: bySlug
  }
}

const hasRouter = (config: Model.ModelConfig): boolean =>
  isObject(config) && config.router !== undefined

const isMade = (model: Model.Model | undefined): model is Model.Model => model !== undefined

const isName = (value: unknown): boolean => typeof value === "string" && value !== ""

const countColons = ({ id }: Model.Model): number => (id.includes(":") ? 1 : 0)

/** A listed model takes precedence: the dynamic reading of a name is tried only when no model has it. */
const resolveVariant = (
  slug: string,
  byName: ReadonlyMap<string, ResolvedModel>
): ResolvedModel | undefined => {
  const parts = splitVariant(slug)
  const named = parts === undefined ? undefined : byName.get(parts.base)
  return parts === undefined || named === undefined
    ? undefined
    : { ...named, variant: parts.variant }
}

const checkEndpoints = (model: Model.Model, upstreams: ReadonlyMap<string, Upstream>): void => {
  const names = new Set<string>()
  for (const { provider, tag } of model.endpoints) {
    // Requests name them in any case.
    const name = tag.toLowerCase()
    if (names.has(name)) {
      throw new RangeError(`model "${model.id}" has two endpoints "${tag}"; give each a variant`)
    }
    names.add(name)
    if (!upstreams.has(provider)) {
      const nearest = findNearestName(provider, upstreams.keys())
      throw new RangeError(
        `model "${model.id}" names the provider "${provider}", but no upstream has that slug` +
          (nearest === undefined ? "" : `; did you mean "${nearest}"?`)
      )
    }
  }
}
