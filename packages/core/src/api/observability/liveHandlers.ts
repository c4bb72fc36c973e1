/** Handlers of the operations on live endpoints. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Schedule from "effect/Schedule"
import * as Stream from "effect/Stream"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import { Drain } from "../../instance/Drain.ts"
import { Health } from "../../engine/health/Health.ts"
import type { Handlers } from "../operation/Handler.ts"
import { StreamedReply } from "../operation/Reply.ts"
import { eventStreamResponse, toEvent } from "../operation/serverSentEvents.ts"
import { withKeepalive } from "../operation/withKeepalive.ts"
import { Settings } from "../../instance/Settings.ts"
import type { AccountId } from "../../values/ids/Ids.ts"
import { fromStream, type PushStream } from "../../values/push/PushStream.ts"
import { bucketMillis, toBucketStart } from "../../engine/observability/rollups/Resolution.ts"
import { RollupStore } from "../../engine/observability/rollups/RollupStore.ts"
import { pickSeries } from "../../engine/observability/rollups/toSeries.ts"
import type { LiveApi, LiveEndpointsResponse } from "./LiveApi.ts"
import { toLiveEndpoint } from "./toLiveEndpoint.ts"

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
