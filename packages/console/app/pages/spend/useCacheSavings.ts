/** About how much prompt caches saved in a time. */
import type { OperationResponse } from "@signalbox/core/contract"
import { get, type Query, toUrl } from "../../api/request.ts"
import { type Loaded, useLoaded } from "../../api/useApi.ts"
import { sumCacheSavings } from "./sumCacheSavings.ts"

/** The prices of so many models are read at most: those that read most tokens from caches. */
const maxModels = 10

/** In USD. */
export const useCacheSavings = (time: Query): Loaded<number> =>
  useLoaded(
    toUrl("api/v1/signalbox/series", { ...time, group_by: "model", limit: 50 }),
    async (url, signal) => {
      const { data }: OperationResponse<"series.get"> = await get<"series.get">(url, {}, signal)
      const cached = data.series
        .filter(({ totals, value }) => value !== null && totals.tokens_cached > 0)
        .toSorted((one, other) => other.totals.tokens_cached - one.totals.tokens_cached)
        .slice(0, maxModels)
      return sumCacheSavings(
        await Promise.all(
          cached.map(async ({ totals, value }) => ({
            tokens: totals.tokens_cached,
            pricing: await readPricing(value ?? "", signal)
          }))
        )
      )
    }
  )

/** Undefined: the model is no longer served. */
const readPricing = async (
  model: string,
  signal: AbortSignal
): Promise<OperationResponse<"models.getById">["data"]["pricing"] | undefined> => {
  try {
    const path = `api/v1/models/${encodeURIComponent(model)}`
    return (await get<"models.getById">(path, {}, signal)).data.pricing
  } catch {
    return undefined
  }
}
