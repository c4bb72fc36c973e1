/** What a process reports of itself, as its store keeps it and the HTTP API shows it. */
import * as Schema from "effect/Schema"

const Time = Schema.NullOr(Schema.String)

/** The circuit breaker of an endpoint in one process. */
export const BreakerResponse = Schema.Struct({
  state: Schema.Literals(["closed", "open", "ramping", "backing_off"]),
  /** Since when, in ISO 8601; null while closed. */
  since: Time,
  /** Such as `12 of 20 failed in 60 s`; null while closed or ramping. */
  cause: Schema.NullOr(Schema.String),
  /** When an attempt is let through again, in ISO 8601; null while closed or ramping. */
  next_probe_at: Time,
  /** The share of traffic that a ramping breaker lets through, from 0 to 1. */
  share: Schema.NullOr(Schema.Finite)
})

export const ProcessReport = Schema.Struct({
  id: Schema.String,
  /** ISO 8601. */
  started_at: Schema.String,
  /** The version of the library. */
  version: Schema.String,
  status: Schema.Literals(["ready", "draining", "storage_unavailable"]),
  configuration: Schema.Struct({
    /** The same in all processes with the same models and upstreams. */
    fingerprint: Schema.String,
    /** When the process made it, by `make`, `replace` or a source, in ISO 8601. */
    made_at: Schema.String,
    models: Schema.Int
  }),
  /** Requests in progress, without those of the operations console. */
  running: Schema.Int,
  /**
   * The longest delay of a timer in the last seconds, in milliseconds: how long the event loop was held up. Absent: the stores serve
   * one process, or the process is of an earlier version.
   */
  event_loop_delay: Schema.optionalKey(Schema.Finite),
  /** Endpoints with attempts under way, or a breaker that is not closed; at most 500. */
  endpoints: Schema.Array(
    Schema.Struct({
      endpoint_id: Schema.String,
      breaker: BreakerResponse,
      in_flight: Schema.Int
    })
  ),
  /** Requests that wait for a connection, by provider, since all of its connections are in use. */
  connection_waits: Schema.Array(Schema.Struct({ provider: Schema.String, waiting: Schema.Int })),
  /** Records and settlements that wait to be written, those that were lost, and requests that wait for an endpoint. */
  queues: Schema.Array(
    Schema.Struct({
      name: Schema.String,
      waiting: Schema.Int,
      dropped: Schema.Int,
      failed: Schema.Int
    })
  )
})
export type ProcessReport = typeof ProcessReport.Type
