/** Runs durable jobs as one process does. */
import { JobKind } from "@signalbox/core/stores"
import { Settings } from "@signalbox/core"
import { DurableJobs } from "@signalbox/core/adapter"
import type { Stores } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"

interface Lease {
  readonly jobLeaseMillis: number
  readonly jobLeaseRefreshMillis: number
}

/** No machine is so busy that it does not renew this one in time. */
const longLease: Lease = { jobLeaseMillis: 120_000, jobLeaseRefreshMillis: 5_000 }

export const shortLease: Lease = { jobLeaseMillis: 2_000, jobLeaseRefreshMillis: 500 }

export const layerJobProcess = (stores: Layer.Layer<Stores, Error>, lease = longLease) =>
  DurableJobs.layer.pipe(
    Layer.provideMerge(stores),
    Layer.provide(
      Layer.effect(
        Settings,
        Effect.map(Settings, (settings) => ({
          ...settings,
          ...lease,
          jobPollMillis: 200
        }))
      )
    )
  )

/** The jobs of the process that is killed. */
export const killedKind = JobKind.make({ name: "killed", payload: Schema.Int, concurrency: 4 })
