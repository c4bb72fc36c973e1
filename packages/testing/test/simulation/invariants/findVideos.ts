/** The accepted videos of a world, with their jobs. */
import { AccountId, VideoJobId, type VideoJob, VideoStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Exchange } from "../Client.ts"
import { findId } from "../findId.ts"
import { tenants } from "../Tenant.ts"
import type { World } from "../World.ts"

export interface AcceptedVideo {
  readonly exchange: Exchange
  /** Undefined: there is none, although the response names it. */
  readonly job: VideoJob | undefined
}

/** All jobs that are stored, also those whose callers do not know of them. */
export const listJobs = async (world: World): Promise<ReadonlyArray<VideoJob>> => {
  const store = Context.get(world.stores, VideoStore)
  const pages = await world.query(
    Effect.forEach(tenants, ({ account }) =>
      store.list(AccountId.make(account), {}, { offset: 0, limit: 1_000 })
    )
  )
  return pages.flatMap(({ rows }) => rows)
}

export const findVideos = (world: World): Promise<ReadonlyArray<AcceptedVideo>> => {
  const store = Context.get(world.stores, VideoStore)
  return world.query(
    Effect.forEach(
      world.client.exchanges.filter(({ kind, status }) => kind === "video" && status === 202),
      (exchange) =>
        Effect.map(store.find(VideoJobId.make(findId(exchange.text))), (job) => ({ exchange, job }))
    )
  )
}
