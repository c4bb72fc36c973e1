/** The models of a configuration, indexed for queries: a bit set or a column of numbers for each filter. */
import * as BigDecimal from "effect/BigDecimal"
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import type { Model } from "../../engine/catalog/model/Model.ts"
import { listSearchableOutputs } from "../../engine/catalog/model/inferOutputs.ts"
import * as Price from "../../engine/catalog/endpoint/Price.ts"
import { isInRegion } from "../../routing/plan/isInRegion.ts"
import * as Bits from "./BitSet.ts"
import { regions } from "./ModelQuery.ts"

/** Bit sets of models by value. */
interface Facets {
  readonly category: Facet
  readonly parameter: Facet
  readonly output: Facet
  readonly input: Facet
  readonly architecture: Facet
  readonly author: Facet
  readonly provider: Facet
  readonly region: Facet
  /** `yes` for models with the property. */
  readonly distillable: Facet
  readonly zdr: Facet
}
export type Facet = ReadonlyMap<string, Bits.BitSet>

/** NaN when unknown. */
interface Columns {
  /** Seconds since the epoch. */
  readonly created: Float64Array
  /** Tokens. */
  readonly context: Float64Array
  /** USD per million tokens. */
  readonly price: Float64Array
  readonly outputPrice: Float64Array
  /** The average of both. */
  readonly meanPrice: Float64Array
  readonly intelligence: Float64Array
  readonly coding: Float64Array
  readonly agentic: Float64Array
  /** The best of its arenas. */
  readonly elo: Float64Array
  readonly toolSuccessRate: Float64Array
}

export interface ModelIndex {
  /** Visible models, newest first; models of equal or unknown age in the order of the host. */
  readonly models: ReadonlyArray<Model>
  readonly facets: Facets
  readonly columns: Columns
  /** Name and slug, in lower case. */
  readonly texts: ReadonlyArray<string>
}

export const make = ({ models: listed, upstreams }: Configuration): ModelIndex => {
  const models = listed
    .filter(({ hidden }) => !hidden)
    .toSorted((one, other) => (other.created ?? -1) - (one.created ?? -1))
  const facet = (valuesOf: (model: Model) => Iterable<string>): Facet => {
    const places = new Map<string, Bits.BitSet>()
    for (const [place, model] of models.entries()) {
      for (const value of valuesOf(model)) {
        const name = value.toLowerCase()
        let bits = places.get(name)
        if (bits === undefined) places.set(name, (bits = Bits.makeEmpty(models.length)))
        Bits.add(bits, place)
      }
    }
    return places
  }
  const column = (valueOf: (model: Model) => number | null | undefined): Float64Array =>
    Float64Array.from(models, (model) => valueOf(model) ?? Number.NaN)
  return {
    models,
    facets: {
      category: facet(({ categories }) => categories),
      parameter: facet(({ card }) => card.supported_parameters),
      output: facet((model) => listSearchableOutputs(model, upstreams)),
      input: facet(({ card }) => card.architecture.input_modalities),
      architecture: facet(({ card: { architecture }, family }) =>
        [architecture.tokenizer, family].filter((name) => name !== undefined)
      ),
      author: facet(({ id }) => [getAuthor(id)]),
      provider: facet(({ endpoints }) =>
        endpoints.flatMap(({ provider, tag }) => {
          const name = upstreams.get(provider)?.name
          return name === undefined ? [provider, tag] : [provider, tag, name]
        })
      ),
      region: facet(({ endpoints }) =>
        regions.filter((name) => endpoints.some(({ region }) => isInRegion([name], region)))
      ),
      distillable: facet(({ distillable }) => (distillable ? ["yes"] : [])),
      zdr: facet(({ endpoints }) => (endpoints.some(({ zdr }) => zdr) ? ["yes"] : []))
    },
    columns: {
      created: column(({ created }) => created),
      context: column(({ contextLength }) => contextLength),
      price: column(({ card }) => toPerMillion(card.pricing.prompt)),
      outputPrice: column(({ card }) => toPerMillion(card.pricing.completion)),
      meanPrice: column(({ card }) => toPerMillion(card.pricing.prompt, card.pricing.completion)),
      intelligence: column(({ card }) => getIndices(card)?.intelligence_index),
      coding: column(({ card }) => getIndices(card)?.coding_index),
      agentic: column(({ card }) => getIndices(card)?.agentic_index),
      elo: column(({ card }) =>
        card.benchmarks?.design_arena.reduce<number | undefined>(
          (best, { elo }) => Math.max(best ?? elo, elo),
          undefined
        )
      ),
      toolSuccessRate: column(({ toolSuccessRate }) => toolSuccessRate)
    },
    texts: models.map(({ id, name }) => `${name}\n${id}`.toLowerCase())
  }
}

/** The author of an alias (`~author/family-latest`) is the author of its targets. */
const getAuthor = (id: string): string =>
  id.slice(id.startsWith("~") ? 1 : 0, Math.max(0, id.indexOf("/")))

const getIndices = ({ benchmarks }: Model["card"]) => benchmarks?.artificial_analysis

/**
 * The mean of prices per token in USD per million. Computed exactly, so that 0.0000001 per token is 0.1 per million and
 * equal prices have equal means.
 */
const toPerMillion = (one: string, other = one): number => {
  const { completion, prompt } = Price.make({ prompt: one, completion: other })
  return prompt === undefined || completion === undefined
    ? Number.NaN
    : BigDecimal.toNumberUnsafe(
        BigDecimal.multiply(BigDecimal.sum(prompt, completion), halfMillion)
      )
}

const halfMillion = BigDecimal.make(500_000n, 0)
