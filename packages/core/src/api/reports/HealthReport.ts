/** The schema of endpoint health, which operators read, save and replay. */
import * as Schema from "effect/Schema"
import { TrafficControl } from "../../engine/health/control/TrafficControl.ts"
import type { HealthSnapshot as Snapshot } from "../../engine/health/HealthSnapshot.ts"

const Percentiles = Schema.Struct({
  p50: Schema.Finite,
  p75: Schema.Finite,
  p90: Schema.Finite,
  p95: Schema.optionalKey(Schema.Finite),
  p99: Schema.Finite
})

const Breaker = Schema.Union([
  Schema.Struct({ state: Schema.Literal("closed") }),
  Schema.Struct({
    state: Schema.Literal("open"),
    since: Schema.Finite,
    cause: Schema.String,
    nextProbeAt: Schema.Finite
  }),
  Schema.Struct({
    state: Schema.Literal("ramping"),
    since: Schema.Finite,
    share: Schema.Finite
  }),
  Schema.Struct({
    state: Schema.Literal("backing_off"),
    since: Schema.Finite,
    cause: Schema.String,
    until: Schema.Finite
  })
])

const measured = {
  samples: Schema.Finite,
  latency: Schema.optionalKey(Percentiles),
  throughput: Schema.optionalKey(Percentiles),
  throughputSamples: Schema.Finite,
  /** Prompt tokens that the provider read from its cache, of all prompt tokens, 0 to 1. */
  cachedShare: Schema.optionalKey(Schema.Finite),
  answers: Schema.Struct({ valid: Schema.Finite, invalid: Schema.Finite }),
  errors: Schema.Record(Schema.String, Schema.Finite),
  rateLimited: Schema.Finite
}

/** Latency in milliseconds, throughput in tokens per second, uptime in percent. Times are in milliseconds since the epoch. */
export const EndpointReport = Schema.Struct({
  ...measured,
  recentMillis: Schema.optionalKey(Schema.Finite),
  inFlight: Schema.optionalKey(Schema.Finite),
  /** Attempts under way that are much later than usual; in plans they count as failures until they answer or end. */
  suspected: Schema.optionalKey(Schema.Finite),
  uptime: Schema.Struct({
    m5: Schema.optionalKey(Schema.Finite),
    m30: Schema.optionalKey(Schema.Finite),
    d1: Schema.optionalKey(Schema.Finite)
  }),
  outage: Schema.optionalKey(
    Schema.Struct({
      failures: Schema.Finite,
      of: Schema.Finite,
      suspected: Schema.optionalKey(Schema.Finite),
      /** The processes that saw the failures; absent: the one that answers. 0 failures: one of them was asked to wait. */
      processes: Schema.optionalKey(Schema.Finite)
    })
  ),
  /** The share of requests that get through after an outage that processes saw together, from 0 to 1; absent: all. */
  returning: Schema.optionalKey(Schema.Finite),
  breaker: Breaker,
  longer: Schema.optionalKey(
    Schema.Struct({ m30: Schema.Struct(measured), d1: Schema.Struct(measured) })
  )
})

/** Health by endpoint id; endpoints never tried are absent. */
export const HealthSnapshot: Schema.Codec<Snapshot> = Schema.Struct({
  at: Schema.Finite,
  endpoints: Schema.Record(Schema.String, EndpointReport),
  /** What operators ask of endpoints, by id; absent: nothing. */
  controls: Schema.optionalKey(
    Schema.Record(
      Schema.String,
      Schema.Struct({ state: TrafficControl.fields.state, weight: TrafficControl.fields.weight })
    )
  )
})
