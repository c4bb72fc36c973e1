/** JobStore in the memory of this process, loaded with the first step. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { JobStore } from "../engine/jobs/JobStore.ts"
import type { MemoryJournal } from "./MemoryJournal.ts"
import { buildOnDemand, importNamed } from "../values/layerOnDemand.ts"

/** Keeps between one and two times `Settings.maxJobSteps` finished steps, and `Settings.maxJobSteps` dead letters. */
export const memoryJobStore: Layer.Layer<JobStore, never, MemoryJournal> = Layer.effect(
  JobStore,
  Effect.map(
    buildOnDemand(importNamed(() => import("./layerMemoryJobStore.ts"), "layerMemoryJobStore")),
    (build) => {
      const get = Effect.map(Effect.suspend(build), Context.get(JobStore))
      return {
        queue: {
          offer: (options) => Effect.flatMap(get, ({ queue }) => queue.offer(options)),
          take: (options) => Effect.flatMap(get, ({ queue }) => queue.take(options)),
          cleanup: (options) => Effect.flatMap(get, ({ queue }) => queue.cleanup(options))
        },
        deadLetter: (step) => Effect.flatMap(get, (store) => store.deadLetter(step)),
        listDeadLetters: (cursor) => Effect.flatMap(get, (store) => store.listDeadLetters(cursor)),
        listQueueDepths: Effect.flatMap(get, (store) => store.listQueueDepths),
        purgeExpired: (ago) => Effect.flatMap(get, (store) => store.purgeExpired(ago))
      }
    }
  )
)
