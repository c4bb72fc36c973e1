/** Handlers of the activity operations. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import { Catalog } from "../../engine/catalog/Catalog.ts"
import type { Handlers } from "../operation/Handler.ts"
import { hasCalendarDate } from "../../values/IsoDateTime.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { Measures } from "../../engine/observability/rollups/Measures.ts"
import { bucketMillis, toBucketStart } from "../../engine/observability/rollups/Resolution.ts"
import { RollupStore } from "../../engine/observability/rollups/RollupStore.ts"
import type { ActivityApi, ActivityResponse } from "./ActivityApi.ts"

export const activityHandlers = Effect.gen(function* () {
  const catalog = yield* Catalog
  const rollups = yield* RollupStore

  const toItem = (date: string, endpoint: string | null, measures: Measures): ActivityItem => {
    const id = endpoint ?? "other"
    const [model = id, tag = ""] = id.split("@")
    const [provider = tag] = tag.split("/")
    return {
      date,
      endpoint_id: id,
      model,
      model_permaslug: model,
      provider_name: catalog.current().upstreams.get(provider)?.name ?? provider,
      requests: measures.requests - measures.errors,
      prompt_tokens: measures.inputTokens,
      completion_tokens: measures.outputTokens,
      reasoning_tokens: measures.reasoningTokens,
      usage: NanoUsd.toUsdNumber(measures.cost),
      byok_usage_inference: NanoUsd.toUsdNumber(measures.upstreamCost)
    }
  }

  return {
    list: Effect.fnUntraced(function* ({ query }, { caller }) {
      for (const name of unsupportedFilters) {
        if (query[name] !== undefined) return yield* notKept(name)
      }
      const today = toBucketStart("day", yield* Clock.currentTimeMillis)
      const first = today - days * bucketMillis.day
      const { date } = query
      const day = date === undefined ? undefined : Date.parse(date)
      if (
        date !== undefined &&
        !(isDate.test(date) && hasCalendarDate(date) && day! >= first && day! <= today)
      ) {
        return yield* new InvalidRequest({
          path: ["date"],
          problem: `must be one of the last ${days} days in UTC, such as ${toDate(today)}`
        })
      }
      const buckets = yield* rollups.list({
        account: caller.account,
        resolution: "day",
        dimension: "endpoint",
        from: day ?? first,
        to: day === undefined ? today : day + 1
      })
      return {
        data: buckets
          .toReversed()
          .flatMap(({ other, startedAt, values }) => [
            ...Array.from(values, ([value, measures]) =>
              toItem(toDate(startedAt), value, measures)
            ),
            ...(other === undefined ? [] : [toItem(toDate(startedAt), null, other)])
          ])
      }
    })
  } satisfies Handlers<typeof ActivityApi>
})

type ActivityItem = (typeof ActivityResponse.Type)["data"][number]

/** Rollups know no combinations of an endpoint with these. */
const unsupportedFilters = ["api_key_hash", "user_id", "workspace_id", "group_by"] as const

const notKept = (name: string) =>
  new InvalidRequest({
    path: [name],
    problem:
      "is not supported, because activity is not kept for combinations; use group_by of /signalbox/series"
  })

const days = 30
const isDate = /^\d{4}-\d{2}-\d{2}$/

const toDate = (at: number): string => new Date(at).toISOString().slice(0, 10)
