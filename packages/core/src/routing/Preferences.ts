/** What a request asks of routing: the `provider` object of the HTTP API, closed to unknown keys. */
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import { Quantization } from "../catalog/Quantization.ts"
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

/** A number, which applies to the median, or cut-offs per percentile. */
const Cutoffs = Schema.NullOr(
  Schema.Union([
    Schema.Finite,
    Schema.Struct({
      p50: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
      p75: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
      p90: Schema.optionalKey(Schema.NullOr(Schema.Finite)),
      p99: Schema.optionalKey(Schema.NullOr(Schema.Finite))
    })
  ])
)

/** An order of providers, such as `"price"`. */
export const ProviderSort = Schema.Literals(["price", "throughput", "latency", "exacto"])
export type ProviderSort = typeof ProviderSort.Type

const fields = {
  allow_fallbacks: Schema.optionalKey(Flag),
  data_collection: Schema.optionalKey(Schema.NullOr(Schema.Literals(["allow", "deny"]))),
  enforce_distillable_text: Schema.optionalKey(Flag),
  ignore: Schema.optionalKey(Slugs),
  max_price: Schema.optionalKey(
    Schema.Struct({
      prompt: Schema.optionalKey(Usd),
      completion: Schema.optionalKey(Usd),
      image: Schema.optionalKey(Usd),
      audio: Schema.optionalKey(Usd),
      request: Schema.optionalKey(Usd)
    })
  ),
  only: Schema.optionalKey(Slugs),
  order: Schema.optionalKey(Slugs),
  preferred_max_latency: Schema.optionalKey(Cutoffs),
  preferred_min_throughput: Schema.optionalKey(Cutoffs),
  quantizations: Schema.optionalKey(Schema.NullOr(Schema.Array(Quantization))),
  require_parameters: Schema.optionalKey(Flag),
  sort: Schema.optionalKey(
    Schema.NullOr(
      Schema.Union([
        ProviderSort,
        Schema.Struct({
          by: Schema.optionalKey(Schema.NullOr(ProviderSort)),
          partition: Schema.optionalKey(Schema.NullOr(Schema.Literals(["model", "none"])))
        })
      ])
    )
  ),
  zdr: Schema.optionalKey(Flag)
}

/** The fields of https://openrouter.ai/docs/features/provider-routing. */
export const Preferences = Schema.Struct(fields)
export type Preferences = typeof Preferences.Type

/** The known keys of its closed objects, by path. */
const knownKeys: Readonly<Record<string, ReadonlySet<string>>> = {
  "": new Set(Object.keys(fields)),
  max_price: new Set(["prompt", "completion", "image", "audio", "request"]),
  sort: new Set(["by", "partition"]),
  preferred_max_latency: new Set(["p50", "p75", "p90", "p99"]),
  preferred_min_throughput: new Set(["p50", "p75", "p90", "p99"])
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

/** Whether a request sets the order of endpoints itself. */
export const hasOrder = ({ order, sort }: Preferences): boolean =>
  (order != null && order.length > 0) || (typeof sort === "string" ? sort : sort?.by) != null

export const none: Preferences = {}
