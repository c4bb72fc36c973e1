/** A time in which endpoints of a provider failed, as the processes on a store saw it together. */
import * as Schema from "effect/Schema"

/** An endpoint of an incident. */
const IncidentEndpoint = Schema.Struct({
  endpoint_id: Schema.String,
  model: Schema.String,
  /** Since when its breaker was open in any process, in ISO 8601. */
  started_at: Schema.String,
  /** When it was closed in all of them, in ISO 8601; null while it is not. */
  ended_at: Schema.NullOr(Schema.String),
  /** Such as `12 of 20 failed in 60 s`, as the first process saw it. */
  cause: Schema.String,
  /** The processes that see it fail, with when they last did, in ISO 8601. */
  processes: Schema.Array(Schema.Struct({ id: Schema.String, seen_at: Schema.String }))
})
export type IncidentEndpoint = typeof IncidentEndpoint.Type

/** What became of the requests that an incident concerned, in all accounts. */
export const IncidentImpact = Schema.Struct({
  /** Requests without an answer, after an attempt there or because it was avoided. */
  failed_requests: Schema.Int,
  /** Who sent those: acting users, else the `user` of the request, else keys. */
  affected_users: Schema.Int,
  /** Requests that other providers answered instead. */
  moved_requests: Schema.Int,
  /** Those providers by name, the busiest first; at most 10. */
  moved_to: Schema.Array(Schema.Struct({ provider: Schema.String, requests: Schema.Int })),
  /** Requests that began until then are counted, in ISO 8601. */
  counted_until: Schema.String,
  /** Whether all requests of the time until now are counted; the next call goes on where this one stopped. */
  is_complete: Schema.Boolean
})
export type IncidentImpact = typeof IncidentImpact.Type

/** An incident as it is stored: plain JSON. */
export const Incident = Schema.Struct({
  id: Schema.String,
  /** The slug of the provider. */
  provider: Schema.String,
  /** ISO 8601. */
  started_at: Schema.String,
  /** In ISO 8601; null while any endpoint fails. */
  ended_at: Schema.NullOr(Schema.String),
  /** When a process last saw it, in ISO 8601. */
  seen_at: Schema.String,
  /** In the order in which they failed; at most 200. */
  endpoints: Schema.Array(IncidentEndpoint),
  /** The final count, some time after the end; null before. */
  impact: Schema.NullOr(IncidentImpact)
})
export type Incident = typeof Incident.Type

/** A process reports an incident so often; one that has not done so for four times as long is gone. */
export const heartbeatMillis = 15_000

/** What no process has seen for so long is over. */
export const staleMillis = 4 * heartbeatMillis

/** When it ended, in milliseconds since the epoch; undefined while it lasts. */
export const findEnd = (
  { ended_at, seen_at }: Pick<Incident, "ended_at" | "seen_at">,
  now: number
): number | undefined => {
  if (ended_at !== null) return Date.parse(ended_at)
  const seenAt = Date.parse(seen_at)
  return now - seenAt > staleMillis ? seenAt : undefined
}
