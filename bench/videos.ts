/**
 * Measures video jobs on an in-memory upstream, with stores in memory, SQLite and Postgres: accepted jobs a second, and the
 * statements and CPU time of a whole job; then the memory and load of a process with many running jobs. Compare ratios,
 * because absolute figures depend on the machine. Statements exclude BEGIN, COMMIT and those inside database functions.
 *
 * Usage: node bench/videos.ts [rounds] [jobs per round] [jobs in flight]
 * Uses the Postgres of DATABASE_URL, or starts that of the tests.
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setTimeout as sleep } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { defaultAccountId } from "@signalbox/core"
import { JobStore, type Stores, VideoStore } from "@signalbox/core/stores"
import type { Upstream, VideoReport } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { postgres, sqlite } from "@signalbox/sql"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { CurrentTransformer } from "effect/sql/Statement"
import { startPostgres } from "../packages/sql/test/startPostgres.ts"
import { median } from "./quantile.ts"

const [rounds = 5, size = 1_000, inFlight = 10_000] = process.argv.slice(2).map(Number)
const concurrency = 32
const pollsOfJob = 3

setFlagsFromString("--expose-gc")
const collect: () => void = runInNewContext("gc")

/** A provider that accepts everything. `reportAt` determines the status of each poll. */
class FakeVideoProvider {
  submits = 0
  polls = 0
  readonly #polls = new Map<string, number>()
  readonly #everyMillis: number
  readonly #reportAt: (poll: number) => VideoReport

  constructor(everyMillis: number, reportAt: (poll: number) => VideoReport) {
    this.#everyMillis = everyMillis
    this.#reportAt = reportAt
  }

  upstream(): Upstream {
    return {
      slug: "bench",
      name: "Bench",
      videos: {
        submit: ({ idempotencyKey }) =>
          Effect.sync(() => {
            this.submits++
            return { upstreamId: idempotencyKey, report: { status: "pending" } as const }
          }),
        poll: ({ upstreamId }) =>
          Effect.sync(() => {
            this.polls++
            const poll = (this.#polls.get(upstreamId) ?? 0) + 1
            this.#polls.set(upstreamId, poll)
            return this.#reportAt(poll)
          }),
        getContent: () => Effect.die("nobody downloads here"),
        supportsIdempotencyKey: true,
        pollIntervalMillis: this.#everyMillis,
        estimateWorstCase: ({ duration = 4 }) => ({ videos: 1, seconds: duration })
      }
    }
  }
}

const running: VideoReport = { status: "in_progress" }
const done: VideoReport = { status: "completed", outputs: [{ index: 0 }] }

let statements = 0
const countStatements = Layer.succeed(CurrentTransformer, (statement) => {
  statements++
  return Effect.succeed(statement)
})

type Database = Layer.Layer<Stores | SqlClient, Error>

/** With a spending limit, so that each job has a reservation. */
const startInstance = async (database: Database | undefined, maker: FakeVideoProvider) => {
  let sql: SqlClient | undefined
  const stores =
    database === undefined
      ? undefined
      : Layer.merge(
          Layer.provideMerge(
            Layer.effectDiscard(
              Effect.map(SqlClient, (client) => {
                sql = client
              })
            ),
            database
          ),
          countStatements
        )
  const instance = await Signalbox.make({
    upstreams: [maker.upstream()],
    models: [
      {
        id: "bench/film",
        card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
        endpoints: [{ provider: "bench", price: {}, videoPrice: { duration_seconds: "0.1" } }]
      }
    ],
    ...(stores === undefined ? undefined : { stores }),
    credits: { default: "1000000" },
    settings: { maxActiveVideoJobs: 2 * Math.max(size, inFlight) }
  })
  return { box: instance, sql }
}

type Running = Awaited<ReturnType<typeof startInstance>>

const submitMany = async ({ box: instance }: Running, count: number): Promise<void> => {
  let left = count
  const worker = async () => {
    while (left-- > 0) {
      await instance.videos.submit({ model: "bench/film", prompt: "a tide pool", duration: 4 })
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
}

const countCompleted = ({ box: { context } }: Running): Promise<number> =>
  Effect.runPromise(
    Effect.map(
      Context.get(context, VideoStore).list(
        defaultAccountId,
        { status: "completed" },
        { offset: 0, limit: 1 }
      ),
      ({ total }) => total
    )
  )

/** Checks every half second, which costs almost nothing. */
const waitUntil = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await sleep(500)
}

const cpuMillis = (before?: NodeJS.CpuUsage): number => {
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1_000
}

interface Cost {
  readonly acceptedPerSecond: number
  /** CPU time of a whole job in this process. */
  readonly cpuMillis: number
  readonly statements: number
}

/** Each job is submitted, polled three times and finished. */
const measureJobs = async (database: Database | undefined): Promise<Cost> => {
  const maker = new FakeVideoProvider(1_000, (poll) => (poll < pollsOfJob ? running : done))
  const opened = await startInstance(database, maker)
  // The first jobs warm up.
  await submitMany(opened, concurrency)
  await waitUntil(async () => (await countCompleted(opened)) === concurrency)
  statements = 0
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  await submitMany(opened, size)
  const acceptedPerSecond = (size * 1_000) / (performance.now() - startedAt)
  await waitUntil(async () => (await countCompleted(opened)) === size + concurrency)
  const cost = {
    acceptedPerSecond,
    cpuMillis: cpuMillis(cpu) / size,
    statements: statements / size
  }
  await opened.box.close()
  return cost
}

/** Unfinished steps of all kinds, and the rows of the table if there is one. */
const readQueue = async ({ box: { context }, sql }: Running) => {
  const waiting = await Effect.runPromise(Context.get(context, JobStore).listQueueDepths)
  const unfinished = waiting.reduce(
    (sum, { due, later, running }) => sum + due + later + running,
    0
  )
  const rows =
    sql === undefined
      ? []
      : await Effect.runPromise(sql<{ n: unknown }>`SELECT count(*) AS n FROM job_steps`)
  return { unfinished, rows: rows[0] === undefined ? undefined : Number(rows[0].n) }
}

const measureMemory = () => {
  collect()
  collect()
  const { heapUsed, rss } = process.memoryUsage()
  return { heap: heapUsed / 2 ** 20, rss: rss / 2 ** 20 }
}

const measureCoreShare = async (millis: number): Promise<number> => {
  const cpu = process.cpuUsage()
  const startedAt = performance.now()
  await sleep(millis)
  return cpuMillis(cpu) / (performance.now() - startedAt)
}

const toPercent = (share: number): string => `${(share * 100).toFixed(1)} %`

/** Jobs that never finish, polled once a minute. */
const measureManyJobs = async (stores: string, database: Database | undefined) => {
  const maker = new FakeVideoProvider(60_000, () => running)
  const opened = await startInstance(database, maker)
  const first = Math.min(concurrency, inFlight)
  await submitMany(opened, first)
  await waitUntil(() => maker.submits === first)
  const empty = measureMemory()
  const idleWithout = await measureCoreShare(10_000)
  await submitMany(opened, inFlight - first)
  await waitUntil(
    async () => maker.submits === inFlight && (await readQueue(opened)).unfinished === 0
  )
  const full = measureMemory()
  const pollsBefore = maker.polls
  const idle = await measureCoreShare(10_000)
  const pollsWhileIdle = maker.polls - pollsBefore
  const queueBefore = await readQueue(opened)
  await waitUntil(() => maker.polls > pollsBefore + inFlight / 20)
  const from = maker.polls
  const polling = await measureCoreShare(30_000)
  const polls = maker.polls - from
  const queueAfter = await readQueue(opened)
  await opened.box.close()
  return {
    stores,
    "heap MB": (full.heap - empty.heap).toFixed(0),
    "RSS MB": (full.rss - empty.rss).toFixed(0),
    "of a core without jobs": toPercent(idleWithout),
    "nobody due": toPercent(idle),
    "(polls then)": pollsWhileIdle,
    "while polling": toPercent(polling),
    "polls/s": (polls / 30).toFixed(0),
    "unfinished steps": `${queueBefore.unfinished} -> ${queueAfter.unfinished}`,
    "rows of the queue": `${queueBefore.rows ?? "-"} -> ${queueAfter.rows ?? "-"}`
  }
}

const postgresHere = process.env["DATABASE_URL"] === undefined ? await startPostgres() : undefined
const url = process.env["DATABASE_URL"] ?? postgresHere?.url ?? ""
const makeDatabase: Readonly<Record<string, () => Database | undefined>> = {
  memory: () => undefined,
  SQLite: () => sqlite({ path: join(mkdtempSync(join(tmpdir(), "signalbox-")), "bench.db") }),
  Postgres: () => postgres({ url, schema: `bench-${crypto.randomUUID()}` })
}

const costs = new Map<string, Array<Cost>>()
for (let round = 0; round < rounds; round++) {
  for (const [stores, database] of Object.entries(makeDatabase)) {
    costs.set(stores, [...(costs.get(stores) ?? []), await measureJobs(database())])
  }
}
const getMedian = (stores: string, what: keyof Cost): number =>
  median((costs.get(stores) ?? []).map((cost) => cost[what]))
console.table(
  Array.from(costs.keys(), (stores) => ({
    stores,
    "accepted/s": getMedian(stores, "acceptedPerSecond").toFixed(0),
    "accepted/s, memory = 1": (
      getMedian(stores, "acceptedPerSecond") / getMedian("memory", "acceptedPerSecond")
    ).toFixed(2),
    "CPU ms per job": getMedian(stores, "cpuMillis").toFixed(2),
    "CPU, memory = 1": (getMedian(stores, "cpuMillis") / getMedian("memory", "cpuMillis")).toFixed(
      1
    ),
    "statements per job": getMedian(stores, "statements").toFixed(1)
  }))
)

const rows = []
for (const [stores, database] of Object.entries(makeDatabase))
  rows.push(await measureManyJobs(stores, database()))
console.table(rows)
await postgresHere?.stop()
