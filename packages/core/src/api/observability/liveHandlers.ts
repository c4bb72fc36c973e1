/** Handlers of the operations on live endpoints. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import { Health } from "../../engine/health/Health.ts"
import type { BreakerReport, EndpointReport } from "../../engine/health/HealthSnapshot.ts"
import * as Measures from "../../engine/observability/rollups/Measures.ts"
import { bucketMillis, toBucketStart } from "../../engine/observability/rollups/Resolution.ts"
import { RollupStore } from "../../engine/observability/rollups/RollupStore.ts"
import { pickSeries, type Series } from "../../engine/observability/rollups/toSeries.ts"
import { Drain } from "../../instance/Drain.ts"
import { Settings } from "../../instance/Settings.ts"
import * as Histogram from "../../values/Histogram.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import { fromStream, type PushStream } from "../../values/push/PushStream.ts"
import type { Handlers } from "../operation/Handler.ts"
import { StreamedReply } from "../operation/Reply.ts"
import { eventStreamResponse, toEvent } from "../operation/serverSentEvents.ts"
import { withKeepalive } from "../operation/withKeepalive.ts"
import type { LiveApi, LiveEndpointResponse, LiveEndpointsResponse } from "./LiveApi.ts"
import { toFiguresResponse } from "./toFiguresResponse.ts"

export const liveHandlers = Effect.gen(function* () {
  const catalog = yield* Catalog
  const clock = yield* Clock.Clock
  const drain = yield* Drain
  const health = yield* Health
  const rollups = yield* RollupStore
  const { keepaliveMillis } = yield* Settings

  const report = Effect.fnUntraced(function* (account: AccountId) {
    const now = clock.currentTimeMillisUnsafe()
    const buckets = yield* rollups.list({
      account,
      resolution: "minute",
      dimension: "endpoint",
      from: toBucketStart("minute", now - bucketMillis.hour),
      to: now + 1
    })
    const all = catalog.current().models.flatMap(({ endpoints }) => endpoints)
    const { endpoints: reports } = yield* health.reportEndpoints(all.map(({ id }) => id))
    return {
      at: new Date(now).toISOString(),
      endpoints: all.map((endpoint) => {
        const [series] = pickSeries(buckets, endpoint.id)
        const known = Object.hasOwn(reports, endpoint.id) ? reports[endpoint.id] : undefined
        return toLiveEndpoint(endpoint, known, series?.points ?? [], now)
      })
    }
  })

  /** All endpoints first, then those that have changed. */
  const watch = (account: AccountId, seconds: number): Stream.Stream<Report> =>
    Stream.suspend(() => {
      const latest = new Map<string, string>()
      return Stream.fromEffectSchedule(report(account), Schedule.spaced(seconds * 1_000)).pipe(
        Stream.map(({ at, endpoints }) => ({
          at,
          endpoints: endpoints.filter((endpoint) => {
            const text = JSON.stringify(endpoint)
            if (latest.get(endpoint.endpoint_id) === text) return false
            latest.set(endpoint.endpoint_id, text)
            return true
          })
        }))
      )
    })

  /** The drain ends the stream as if there were no more events. */
  const toEvents = (reports: Stream.Stream<Report>): PushStream<string> => {
    const events = withKeepalive(fromStream(Stream.map(reports, toEvent)), {
      clock,
      keepaliveMillis,
      drain
    })
    return {
      run: (push) => Effect.catchTag(events.run(push), "Draining", () => Effect.void)
    }
  }

  return {
    listEndpoints: (_, { caller }) => Effect.map(report(caller.account), (data) => ({ data })),
    watchEndpoints: ({ query }, { caller }) => {
      const { count = Infinity, interval } = query
      const reports = Stream.take(watch(caller.account, interval), count)
      return Effect.succeed(
        new StreamedReply(reports, () => eventStreamResponse(toEvents(reports)))
      )
    }
  } satisfies Handlers<typeof LiveApi>
})

type Report = typeof LiveEndpointsResponse.Type

const recentMinutes = 5

/** `report` is undefined for an endpoint that this process never tried, `points` are the last hour by minute. */
const toLiveEndpoint = (
  endpoint: { readonly id: string; readonly model: string; readonly provider: string },
  report: EndpointReport | undefined,
  points: Series["points"],
  now: number
): typeof LiveEndpointResponse.Type => {
  const recent = Measures.mergeAll(
    points
      .filter(({ startedAt }) => startedAt > now - recentMinutes * bucketMillis.minute)
      .map(({ measures }) => measures)
  )
  const { throughput, uptime } = report ?? {}
  return {
    endpoint_id: endpoint.id,
    model: endpoint.model,
    provider: endpoint.provider,
    breaker: toBreaker(report?.breaker ?? { state: "closed" }),
    uptime: { m5: uptime?.m5 ?? null, m30: uptime?.m30 ?? null, d1: uptime?.d1 ?? null },
    throughput:
      throughput === undefined
        ? null
        : { p50: throughput.p50, p90: throughput.p90, p99: throughput.p99 },
    failures: report?.errors ?? {},
    rate_limited: report?.rateLimited ?? 0,
    requests_per_minute: recent.requests / recentMinutes,
    error_share: recent.requests === 0 ? null : recent.errors / recent.requests,
    figures: toFiguresResponse(recent),
    points: points.map(({ measures, startedAt }) => ({
      at: new Date(startedAt).toISOString(),
      requests: measures.requests,
      errors: measures.errors,
      latency: measures.latency.count === 0 ? null : Histogram.getQuantile(measures.latency, 0.5)
    }))
  }
}

const toBreaker = (breaker: BreakerReport): (typeof LiveEndpointResponse.Type)["breaker"] => {
  const { state } = breaker
  return {
    state,
    since: state === "closed" ? null : new Date(breaker.since).toISOString(),
    cause: state === "open" || state === "backing_off" ? breaker.cause : null,
    next_probe_at:
      state === "open"
        ? new Date(breaker.nextProbeAt).toISOString()
        : state === "backing_off"
          ? new Date(breaker.until).toISOString()
          : null,
    share: state === "ramping" ? breaker.share : null
  }
}
