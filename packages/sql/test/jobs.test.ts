import { DurableJobs, Settings, type Stores } from "@signalbox/core"
import { DurableJobsContract } from "@signalbox/testing/contracts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { inject } from "vitest"
import { postgres, sqlite } from "../src/index.ts"

const onPostgres = postgres({
  url: inject("postgresUrl"),
  schema: `jobs-${crypto.randomUUID()}`,
  maxConnections: 3
})

/** A process whose leases last two seconds, and are renewed in time or never. */
const processOn = (stores: Layer.Layer<Stores, Error>, jobLeaseRefreshMillis = 500) =>
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

DurableJobsContract("on SQLite", processOn(sqlite({ path: ":memory:" })))
DurableJobsContract("on Postgres", processOn(onPostgres), {
  shared: { other: processOn(onPostgres), frozen: processOn(onPostgres, 3_600_000) }
})
