/** Durable jobs with leases of two seconds, like those of one process. */
import { JobKind } from "@signalbox/core/stores"
import { Settings } from "@signalbox/core"
import { DurableJobs } from "@signalbox/core/adapter"
import { type Stores } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

export const layerJobProcess = (stores: Layer.Layer<Stores, Error>, jobLeaseRefreshMillis = 500) =>
  DurableJobs.layer.pipe(
    Layer.provideMerge(stores),
    Layer.provide(
      Layer.effect(
        Settings,
        Effect.map(Settings, (settings) => ({
          ...settings,
          jobLeaseMillis: 2_000,
          jobLeaseRefreshMillis,
          jobPollMillis: 200
        }))
      )
    )
  )

/** The jobs of the process that is killed. */
export const killedKind = JobKind.make({ name: "killed", payload: Schema.Int, concurrency: 4 })
