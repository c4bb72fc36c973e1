/** How many webhook deliveries there are of each state, and since when the oldest of them waits. */
import type { OperationResponse } from "@signalbox/core/contract"
import { get } from "../../api/request.ts"
import { type Loaded, useLoaded } from "../../api/useApi.ts"

export type Delivery = OperationResponse<"deliveries.list">["data"][number]
export type DeliveryState = Delivery["state"]

export const deliveryStates: ReadonlyArray<DeliveryState> = [
  "pending",
  "delivered",
  "failed",
  "disabled"
]

export interface DeliveryCounts {
  /** The list has no count: beyond a hundred it is `100+`. */
  readonly counts: ReadonlyMap<DeliveryState, string>
  /** When the oldest waiting event was made, ISO 8601; undefined: none waits. */
  readonly oldest: string | undefined
  /** More wait than were read, so that one may be older. */
  readonly isOldestKnown: boolean
}

export const useDeliveryCounts = (): Loaded<DeliveryCounts> =>
  useLoaded(
    "api/v1/signalbox/deliveries",
    async (path, signal) => {
      const pages = await Promise.all(
        deliveryStates.map(async (state) => ({
          state,
          page: await get<"deliveries.list">(path, { state, limit: 100 }, signal)
        }))
      )
      const pending = pages.find(({ state }) => state === "pending")?.page
      return {
        counts: new Map(
          pages.map(({ page, state }) => [state, `${page.data.length}${page.has_more ? "+" : ""}`])
        ),
        oldest: pending?.data.at(-1)?.created_at,
        isOldestKnown: pending?.has_more !== true
      }
    },
    { every: 10_000 }
  )
