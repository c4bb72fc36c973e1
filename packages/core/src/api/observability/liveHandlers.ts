/** Handlers of the operations on live endpoints. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { type EndpointIndex, makeEndpointIndex } from "../../domains/live/EndpointIndex.ts"
import { type FleetMember, makeFleet } from "../../domains/fleet/makeFleet.ts"
import { selectEndpoints } from "../../domains/live/selectEndpoints.ts"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import { Health } from "../../engine/health/Health.ts"
import * as Measures from "../../engine/observability/rollups/Measures.ts"
import { bucketMillis, toBucketStart } from "../../engine/observability/rollups/Resolution.ts"
import { RollupStore } from "../../engine/observability/rollups/RollupStore.ts"
import { pickSeries } from "../../engine/observability/rollups/toSeries.ts"
import { Drain } from "../../instance/Drain.ts"
import { Settings } from "../../instance/Settings.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import { fromStream, type PushStream } from "../../values/push/PushStream.ts"
import type { Handlers } from "../operation/Handler.ts"
import { StreamedReply } from "../operation/Reply.ts"
import { eventStreamResponse, toEvent } from "../operation/serverSentEvents.ts"
import { withKeepalive } from "../operation/withKeepalive.ts"
import {
  defaultEndpointPageSize,
  type EndpointsQuery,
  type LiveApi,
  type LiveEndpointResponse,
  type LiveEndpointsResponse
} from "./LiveApi.ts"
import { makeStatusReports } from "./makeStatusReports.ts"
import { mergeRecent, recentMinutes, toLiveEndpoint } from "./toLiveEndpoint.ts"

export const liveHandlers = Effect.gen(function* () {
  const catalog = yield* Catalog
  const clock = yield* Clock.Clock
  const drain = yield* Drain
  const fleet = yield* makeFleet
  const health = yield* Health
  const rollups = yield* RollupStore
  const { keepaliveMillis } = yield* Settings
  const { listModels, listProviders } = yield* makeStatusReports

  /** Of everything, because that takes longest to make. */
  const indexes = new WeakMap<Configuration, EndpointIndex>()

  const makeIndex = (configuration: Configuration, query: EndpointsQuery): EndpointIndex => {
    const filter = omitUndefined({ q: query.q, model: query.model, provider: query.provider })
    if (Object.keys(filter).length > 0) return makeEndpointIndex(configuration, filter)
    const known = indexes.get(configuration) ?? makeEndpointIndex(configuration)
    indexes.set(configuration, known)
    return known
  }

  /** A long search is made once, and again when the catalog has changed. */
  const makeIndexes = (query: EndpointsQuery): (() => EndpointIndex) => {
    let latest: readonly [Configuration, EndpointIndex] | undefined
    return () => {
      const configuration = catalog.current()
      if (latest?.[0] !== configuration) {
        latest = [configuration, makeIndex(configuration, query)]
      }
      return latest[1]
    }
  }

  const report = Effect.fnUntraced(function* (
    account: AccountId,
    query: EndpointsQuery,
    getIndex: () => EndpointIndex
  ) {
    const { minutes } = query
    const now = clock.currentTimeMillisUnsafe()
    const buckets = yield* rollups.list({
      account,
      resolution: "minute",
      dimension: "endpoint",
      from: toBucketStart("minute", now - Math.max(minutes, recentMinutes) * bucketMillis.minute),
      to: now + 1
    })
    const oldest = now - minutes * bucketMillis.minute
    const recent = mergeRecent(buckets, now)
    const elsewhere = groupByEndpoint(yield* fleet.listOthers)
    const unhealthy = health.listUnhealthy()
    const { endpoints, total } = selectEndpoints(getIndex(), toPage(query), { recent, unhealthy })
    const { endpoints: reports } = yield* health.reportEndpoints(endpoints.map(({ id }) => id))
    return {
      at: new Date(now).toISOString(),
      endpoints: endpoints.map((endpoint) => {
        const [series] = pickSeries(buckets, endpoint.id)
        return toLiveEndpoint(endpoint, {
          report: Object.hasOwn(reports, endpoint.id) ? reports[endpoint.id] : undefined,
          others: elsewhere.get(endpoint.id) ?? [],
          control: health.controls.find(endpoint),
          recent: recent.get(endpoint.id) ?? Measures.empty,
          points: (series?.points ?? []).filter(({ startedAt }) => startedAt > oldest)
        })
      }),
      total_count: total
    }
  })

  const watch = (account: AccountId, query: EndpointsQuery, seconds: number) =>
    Stream.suspend(() =>
      Stream.fromEffectSchedule(
        report(account, query, makeIndexes(query)),
        Schedule.spaced(seconds * 1_000)
      ).pipe(Stream.map(makeChanges()))
    )

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
    listEndpoints: ({ query }, { caller }) =>
      Effect.map(report(caller.account, query, makeIndexes(query)), (data) => ({ data })),
    listModels: ({ query }, { caller }) => listModels(caller.account, query),
    listProviders: ({ query }, { caller }) => listProviders(caller.account, query),
    listProcesses: () =>
      Effect.map(fleet.list, (members) => ({
        data: {
          at: new Date(clock.currentTimeMillisUnsafe()).toISOString(),
          processes: members.map(({ isLost, isSelf, report, seenAt }) => ({
            ...report,
            is_self: isSelf,
            is_lost: isLost,
            seen_at: new Date(seenAt).toISOString()
          }))
        }
      })),
    watchEndpoints: ({ query }, { caller }) => {
      const { count = Infinity, interval } = query
      const reports = Stream.take(watch(caller.account, query, interval), count)
      return Effect.succeed(
        new StreamedReply(reports, () => eventStreamResponse(toEvents(reports)))
      )
    }
  } satisfies Handlers<typeof LiveApi>
})

type Elsewhere = (typeof LiveEndpointResponse.Type)["other_processes"][number]

/** What other processes report of endpoints, by endpoint. */
const groupByEndpoint = (
  others: ReadonlyArray<FleetMember>
): ReadonlyMap<string, ReadonlyArray<Elsewhere>> => {
  const found = new Map<string, Array<Elsewhere>>()
  for (const { isLost, report } of others) {
    if (isLost) continue
    for (const { breaker, endpoint_id, in_flight } of report.endpoints) {
      const shown = { process_id: report.id, breaker, in_flight }
      const known = found.get(endpoint_id)
      if (known === undefined) found.set(endpoint_id, [shown])
      else known.push(shown)
    }
  }
  return found
}

type Report = typeof LiveEndpointsResponse.Type

/** Leaves out of each report what the reader has from the one before. */
const makeChanges = (): ((report: Report) => Report) => {
  let sent: ReadonlyMap<string, string> | undefined
  return ({ endpoints, ...report }) => {
    const page = new Map(
      endpoints.map((endpoint) => [endpoint.endpoint_id, JSON.stringify(endpoint)])
    )
    const before = sent
    sent = page
    if (before === undefined) return { ...report, endpoints }
    const order = Array.from(page.keys())
    const known = Array.from(before.keys())
    const isSame = order.length === known.length && order.every((id, at) => id === known[at])
    return {
      ...report,
      endpoints: endpoints.filter(({ endpoint_id: id }) => before.get(id) !== page.get(id)),
      ...(isSame ? undefined : { order })
    }
  }
}

const toPage = ({ limit, offset, sort, state }: EndpointsQuery) => ({
  offset: offset ?? 0,
  ...omitUndefined({
    sort,
    state,
    limit: limit ?? (offset === undefined ? undefined : defaultEndpointPageSize)
  })
})
