/** The tokens that each model served in the last week, in memory and per process. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { Settings } from "../../instance/Settings.ts"
import { setMostRecent } from "../../values/setMostRecent.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import * as Sliding from "./SlidingWindow.ts"

const hour = 3_600_000
const week = 168 * hour

const tokensByHour: Sliding.BucketAggregator<number, number> = {
  bucketMillis: hour,
  empty: 0,
  add: (tokens, more) => tokens + more,
  merge: (tokens, more) => tokens + more
}

/** Counts the tokens each model served. */
export class ModelUsage extends Context.Service<
  ModelUsage,
  {
    /** `at` and `now` are by `Health.time`. */
    readonly record: (model: string, usage: TokenUsage, at: number) => void
    /** Tokens of prompts and answers in the week before `now`; 0 for an unused model. */
    readonly getWeeklyTokens: (model: string, now: number) => number
  }
>()("@signalbox/core/engine/health/ModelUsage") {
  /** Keeps up to `maxTrackedEndpoints` models; the least recently used is evicted first. */
  static readonly layer = Layer.effect(
    ModelUsage,
    Effect.map(Settings, ({ maxTrackedEndpoints }) => {
      const byModel = new Map<string, Sliding.SlidingWindow<number>>()
      let latest: string | undefined
      return {
        record: (model, { inputTokens, outputTokens }, at) => {
          const before = byModel.get(model) ?? Sliding.empty
          const after = Sliding.add(tokensByHour, before, inputTokens + outputTokens, at, week)
          if (model === latest) byModel.set(model, after)
          else setMostRecent(byModel, model, after, maxTrackedEndpoints)
          latest = model
        },
        getWeeklyTokens: (model, now) => {
          const tokens = byModel.get(model)
          return tokens === undefined ? 0 : Sliding.total(tokensByHour, tokens, now, week)
        }
      }
    })
  )
}
