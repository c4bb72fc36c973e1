/** The state of providers and models: their endpoints, their share of the traffic, and their health by hour. */
import * as Schema from "effect/Schema"
import { TrafficControl } from "../../engine/health/control/TrafficControl.ts"
import { integerParameter, literalParameter, textParameter } from "../contract/queryParameters.ts"
import { FiguresResponse } from "./SeriesApi.ts"

const statusFields = {
  /** All of its endpoints. */
  endpoints: Schema.Int,
  /** Those that operators have neither drained nor disabled. */
  endpoints_in_service: Schema.Int,
  /** Those whose breaker is open or backs off in this process, or is open in another one. */
  endpoints_failing: Schema.Int,
  /** Since when the first of those fails, in ISO 8601; null: none fails. */
  failing_since: Schema.NullOr(Schema.String),
  /** Why that one does; null: none fails. */
  cause: Schema.NullOr(Schema.String),
  /** Its part of the account's traffic in these hours, from 0 to 1. */
  share: Schema.Finite,
  figures: FiguresResponse,
  /** The 95th percentile of the latency in milliseconds; null without an answer. */
  latency_p95: Schema.NullOr(Schema.Finite),
  /** By hour, oldest first; hours without traffic are left out. */
  hours: Schema.Array(
    Schema.Struct({
      /** ISO 8601. */
      at: Schema.String,
      requests: Schema.Int,
      errors: Schema.Int
    })
  )
}

export const ProviderStatus = Schema.Struct({
  /** The slug. */
  provider: Schema.String,
  name: Schema.String,
  models: Schema.Int,
  /** What an operator asks of the provider; its endpoints may have controls of their own. */
  control: Schema.Struct({
    state: TrafficControl.fields.state,
    weight: TrafficControl.fields.weight
  }),
  ...statusFields
})
export type ProviderStatus = typeof ProviderStatus.Type

export const ModelStatus = Schema.Struct({
  model: Schema.String,
  name: Schema.String,
  /** Tokens; null: unknown. */
  context_length: Schema.NullOr(Schema.Finite),
  /** USD for a token at the cheapest and the dearest endpoint; null: no endpoint has a price. */
  price: Schema.NullOr(
    Schema.Struct({
      prompt: Schema.Struct({ min: Schema.String, max: Schema.String }),
      completion: Schema.Struct({ min: Schema.String, max: Schema.String })
    })
  ),
  /** The slugs of its providers; at most 50. */
  providers: Schema.Array(Schema.String),
  ...statusFields
})
export type ModelStatus = typeof ModelStatus.Type

/** A page of rows. */
export const statusPage = <Row extends Schema.Top>(row: Row) =>
  Schema.Struct({ data: Schema.Array(row), total_count: Schema.Int })

const statusSorts = ["state", "requests", "failures", "latency", "cost", "name"] as const

const query = {
  q: textParameter("Words that its id or name must contain, in any order and case."),
  state: literalParameter(["failing", "healthy"], "Whether an endpoint fails. Default: all."),
  sort: literalParameter(
    statusSorts,
    "By the time since which it fails, the highest `requests`, share of `failures`, 95th percentile of the `latency` or `cost` first, or by `name`. Default: `state`."
  ),
  offset: integerParameter({ default: 0, description: "Number of rows to skip." }),
  limit: integerParameter({
    minimum: 1,
    maximum: 100,
    default: 25,
    description: "Number of rows to return."
  }),
  hours: integerParameter({
    minimum: 1,
    maximum: 168,
    default: 24,
    description: "Number of hours that figures go back, the present one included."
  })
}

export const providersQuery = {
  ...query,
  provider: textParameter("Slug of a provider.")
}

export const modelsQuery = {
  ...query,
  model: textParameter("Slug of a model."),
  provider: textParameter("Slug of a provider that serves it.")
}

/** With the defaults. */
export type StatusQuery = Pick<Schema.Struct.Type<typeof modelsQuery>, "q" | "sort" | "state"> &
  Readonly<Record<"hours" | "limit" | "offset", number>>
