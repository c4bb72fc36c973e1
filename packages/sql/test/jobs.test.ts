import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { DurableJobs } from "@signalbox/core/adapter"
import { DurableJobsContract } from "@signalbox/testing/contracts"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { assert, it } from "vitest"
import { postgres, sqlite } from "../src/index.ts"
import { newFile, newSchema } from "./databases.ts"
import { killedKind, layerJobProcess, shortLease } from "./jobProcess.ts"

const postgresStores = postgres({ ...newSchema(), maxConnections: 3 })

DurableJobsContract("on SQLite", layerJobProcess(sqlite({ path: ":memory:" })))
DurableJobsContract("on Postgres", layerJobProcess(postgresStores), {
  shared: {
    other: layerJobProcess(postgresStores),
    frozen: layerJobProcess(postgresStores, { ...shortLease, jobLeaseRefreshMillis: 3_600_000 }),
    heir: { layer: layerJobProcess(postgresStores, shortLease), millis: shortLease.jobLeaseMillis }
  }
})

const offer = (n: number, delay = 0) =>
  DurableJobs.use(({ offer }) =>
    offer(killedKind, { id: "job", key: `job-${n}`, payload: n, delay })
  )

/** Works until `count` steps have run and none is left. Returns the attempts by step. */
const runAll = Effect.fnUntraced(function* (count: number, note: (n: number) => void = () => {}) {
  const attempts = new Map<number, number>()
  const { listReports, work } = yield* DurableJobs
  // One at a time, so that a process that is slow to end a step does not take over its own lease.
  yield* work(
    { ...killedKind, concurrency: 1 },
    {
      run: (n, { attempt }) =>
        Effect.sync(() => {
          attempts.set(n, attempt)
          note(n)
        }),
      onExhausted: () => Effect.void
    }
  )
  const isDone = Effect.map(
    listReports,
    ([job]) => attempts.size === count && job?.due === 0 && job.later === 0 && job.running === 0
  )
  yield* Effect.repeat(Effect.delay(isDone, 10), { until: (done) => done })
  return attempts
}, Effect.scoped)

it("runs jobs from before a restart with their delays", async () => {
  const path = newFile()
  const inProcess = <A>(effect: Effect.Effect<A, unknown, DurableJobs>) =>
    Effect.runPromise(Effect.provide(effect, Layer.fresh(layerJobProcess(sqlite({ path })))))
  const offeredAt = Date.now()
  await inProcess(Effect.andThen(offer(1), offer(2, 3_000)))
  const ranAt = new Map<number, number>()
  const attempts = await inProcess(runAll(2, (n) => void ranAt.set(n, Date.now())))
  assert.deepStrictEqual(Object.fromEntries(attempts), { 1: 1, 2: 1 })
  // SQLite counts whole seconds, and the first one has begun before.
  assert.isAtLeast((ranAt.get(2) ?? 0) - offeredAt, 2_000)
})

it("runs the jobs of a killed process, and those it had begun a second time", async () => {
  const { schema, url } = newSchema()
  const here = Layer.fresh(layerJobProcess(postgres({ url, schema }), shortLease))
  const steps = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
  await Effect.runPromise(
    Effect.provide(
      Effect.forEach(steps, (n) => offer(n)),
      here
    )
  )
  const killed = spawn(
    process.execPath,
    [join(import.meta.dirname, "killedProcess.ts"), url, schema],
    { stdio: ["ignore", "pipe", "inherit"] }
  )
  const exited = once(killed, "exit")
  const begun: Array<number> = []
  for await (const line of createInterface(killed.stdout)) {
    begun.push(Number(line))
    if (begun.length === killedKind.concurrency) break
  }
  killed.kill("SIGKILL")
  await exited
  assert.lengthOf(begun, 4)
  const attempts = await Effect.runPromise(Effect.provide(runAll(10), here))
  assert.deepStrictEqual(
    Object.fromEntries(attempts),
    Object.fromEntries(steps.map((n) => [n, begun.includes(n) ? 2 : 1]))
  )
})
