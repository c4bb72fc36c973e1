/** A video that was accepted ends, and what was answered is recorded. */
import { AccountId, GenerationId, GenerationStore } from "@signalbox/core/stores"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type { Exchange } from "../Client.ts"
import { findId } from "../findId.ts"
import type { World } from "../World.ts"
import { findVideos, listJobs } from "./findVideos.ts"

export const acceptedIsKept = async (world: World): Promise<ReadonlyArray<string>> => {
  const videos = await findVideos(world)
  const lost = videos.flatMap(({ exchange: { id }, job }) =>
    job === undefined ? [`the video of ${id} is gone`] : []
  )
  const endless = (await listJobs(world)).flatMap(({ end, id, status }) =>
    end === undefined ? [`the video ${id} is ${status} for ever`] : []
  )
  const records = Context.get(world.stores, GenerationStore)
  // Records wait in the memory of a process for some milliseconds.
  const answered = world.client.exchanges.filter(
    ({ kind, outcome, process, status }) =>
      (kind === "video" ? status === 202 : status === 200 && isAnswered(kind)) &&
      (kind === "video" || (outcome === "complete" && !world.killed.has(process)))
  )
  const unrecorded = await world.query(
    Effect.filter(answered, ({ tenant, text }) =>
      Effect.map(
        records.find(AccountId.make(tenant.account), GenerationId.make(findId(text))),
        (record) => record === undefined
      )
    )
  )
  return [
    ...lost,
    ...endless,
    ...unrecorded.map(({ id, kind }) => `the ${kind} ${id} has no record`)
  ]
}

/** By a model. */
const isAnswered = (kind: Exchange["kind"]): boolean =>
  kind === "whole" || kind === "stream" || kind === "cached" || kind === "turn"
