/** What a request asks of routing: the `provider` object of the HTTP API, closed to unknown keys. */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { Quantization } from "../engine/catalog/endpoint/Quantization.ts"
import { InvalidRequest } from "../values/errors/RequestErrors.ts"

const Slugs = Schema.NullOr(Schema.Array(Schema.String))
const Flag = Schema.NullOr(Schema.Boolean)

/** A decimal number of USD, as a string or a number: clients send both. */
const Usd = Schema.Union([
  Schema.String.check(
    Schema.isPattern(/^\d+(\.\d+)?([eE][+-]?\d+)?$/, { expected: "a decimal number" })
  ),
  Schema.Finite.check(Schema.isGreaterThanOrEqualTo(0))
])

const Percentile = Schema.optionalKey(Schema.NullOr(Schema.Finite))
const Percentiles = Schema.Struct({
  p50: Percentile,
  p75: Percentile,
  p90: Percentile,
  p99: Percentile
})

/** A number, which applies to the median, or cut-offs per percentile. */
const Cutoffs = Schema.NullOr(Schema.Union([Schema.Finite, Percentiles]))

const PriceCap = Schema.optionalKey(Usd)
const MaxPrice = Schema.Struct({
  prompt: PriceCap,
  completion: PriceCap,
  image: PriceCap,
  audio: PriceCap,
  request: PriceCap
})

/** An order of providers, such as `"price"`. */
export const ProviderSort = Schema.Literals(["price", "throughput", "latency", "exacto"])
export type ProviderSort = typeof ProviderSort.Type

const PartitionedSort = Schema.Struct({
  by: Schema.optionalKey(Schema.NullOr(ProviderSort)),
  partition: Schema.optionalKey(Schema.NullOr(Schema.Literals(["model", "none"])))
})

const fields = {
  allow_fallbacks: Schema.optionalKey(Flag),
  data_collection: Schema.optionalKey(Schema.NullOr(Schema.Literals(["allow", "deny"]))),
  enforce_distillable_text: Schema.optionalKey(Flag),
  hedge: Schema.optionalKey(Flag),
  ignore: Schema.optionalKey(Slugs),
  max_price: Schema.optionalKey(MaxPrice),
  only: Schema.optionalKey(Slugs),
  order: Schema.optionalKey(Slugs),
  preferred_max_latency: Schema.optionalKey(Cutoffs),
  preferred_min_throughput: Schema.optionalKey(Cutoffs),
  quantizations: Schema.optionalKey(Schema.NullOr(Schema.Array(Quantization))),
  require_parameters: Schema.optionalKey(Flag),
  sort: Schema.optionalKey(Schema.NullOr(Schema.Union([ProviderSort, PartitionedSort]))),
  zdr: Schema.optionalKey(Flag)
}

/** The fields of https://openrouter.ai/docs/features/provider-routing, and `hedge`. */
export const Preferences = Schema.Struct(fields)
export type Preferences = typeof Preferences.Type

/** The names of the preferences. */
// The cast holds because `fields` is exact.
export const names = Object.keys(fields) as ReadonlyArray<keyof Preferences>

/** The known keys of its closed objects, by path. */
const knownKeys: Readonly<Record<string, ReadonlySet<string>>> = {
  "": new Set(Object.keys(fields)),
  max_price: new Set(Object.keys(MaxPrice.fields)),
  sort: new Set(Object.keys(PartitionedSort.fields)),
  preferred_max_latency: new Set(Object.keys(Percentiles.fields)),
  preferred_min_throughput: new Set(Object.keys(Percentiles.fields))
}

/** The first unknown key. A misspelt price cap that is ignored would leave the request without one. */
export const findPreferenceProblem = (provider: unknown): InvalidRequest | undefined => {
  const path = Predicate.isObject(provider) ? findUnknownKey(provider) : undefined
  return path === undefined
    ? undefined
    : new InvalidRequest({ path: ["provider", ...path], problem: "unknown routing preference" })
}

const findUnknownKey = (input: object): ReadonlyArray<string> | undefined => {
  for (const [key, value] of Object.entries(input)) {
    if (knownKeys[""]?.has(key) !== true) return [key]
    const inside = Object.hasOwn(knownKeys, key) ? knownKeys[key] : undefined
    if (inside === undefined || typeof value !== "object" || value === null) continue
    const stray = Object.keys(value).find((name) => !inside.has(name))
    if (stray !== undefined) return [key, stray]
  }
  return undefined
}

/** Treats an empty list as absent, because clients send empty lists for "no restriction". */
export const nonEmpty = <A>(
  list: ReadonlyArray<A> | null | undefined
): ReadonlyArray<A> | undefined => (list == null || list.length === 0 ? undefined : list)

/** Whether a request sets the order of endpoints itself. */
export const hasOrder = ({ order, sort }: Preferences): boolean =>
  nonEmpty(order) !== undefined || (typeof sort === "string" ? sort : sort?.by) != null

export const none: Preferences = {}
