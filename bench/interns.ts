/**
 * Measures interns in process, with stores in memory, SQLite and Postgres: creates by 1 and by 32 callers, on the built-in
 * host and on one with `prepare`, with latencies and statements; and a page of a list of 100,000, at its beginning, middle
 * and end. Compare ratios, because absolute figures depend on the machine. Statements exclude BEGIN and COMMIT.
 *
 * Usage: node bench/interns.ts [rounds] [interns per round] [interns in the list]
 * Uses the Postgres of DATABASE_URL, or starts that of the tests.
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Caller, defaultAccountId, defaultWorkspaceId, UserId } from "@signalbox/core"
import { InternId, VaultId } from "@signalbox/core/stores"
import type { InternStatus } from "@signalbox/core/contract"
import { Interns } from "@signalbox/core/adapter"
import { Transaction, type Intern, InternStore, type Stores } from "@signalbox/core/stores"
import type { InternHost } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { postgres, sqlite } from "@signalbox/sql"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CurrentTransformer } from "effect/sql/Statement"
import { startPostgres } from "../packages/sql/test/startPostgres.ts"
import { median, quantile } from "./quantile.ts"

const [rounds = 3, size = 500, storedInterns = 100_000] = process.argv.slice(2).map(Number)
const page = 100

let statements = 0
const countStatements = Layer.succeed(CurrentTransformer, (statement) => {
  statements++
  return Effect.succeed(statement)
})

type Database = Layer.Layer<Stores, Error>

/** Two calls, as for a container or VM. */
const preparingHost: InternHost = {
  slug: "bench",
  prepare: () => Effect.void,
  steps: [{ label: "Booting", run: () => Effect.void }],
  suspend: () => Effect.void,
  destroy: () => Effect.void
}

const startInstance = (database: Database | undefined, host?: InternHost) =>
  Signalbox.make({
    upstreams: [],
    models: [],
    ...(database === undefined ? undefined : { stores: Layer.merge(database, countStatements) }),
    ...(host === undefined ? undefined : { interns: { host } })
  })

type Instance = Awaited<ReturnType<typeof startInstance>>

const makeCaller = (user: string): Caller => ({
  account: defaultAccountId,
  workspace: defaultWorkspaceId,
  kind: "member",
  user: UserId.make(user)
})

let namedFields = 0

/** Milliseconds of each request, from concurrent callers that send one request at a time. */
const createMany = async ({ interns }: Instance, count: number, callers: number) => {
  const times: Array<number> = []
  let left = count
  const startedAt = performance.now()
  await Promise.all(
    Array.from({ length: callers }, async (_, n) => {
      const caller = makeCaller(`user-${n}`)
      while (left-- > 0) {
        const from = performance.now()
        await interns.create({ name: `i${namedFields++}` }, { caller })
        times.push(performance.now() - from)
      }
    })
  )
  return { times, perSecond: (count * 1_000) / (performance.now() - startedAt) }
}

const postgresHere = process.env["DATABASE_URL"] === undefined ? await startPostgres() : undefined
const url = process.env["DATABASE_URL"] ?? postgresHere?.url ?? ""
const makeDatabase: Readonly<Record<string, () => Database | undefined>> = {
  memory: () => undefined,
  SQLite: () => sqlite({ path: join(mkdtempSync(join(tmpdir(), "signalbox-")), "bench.db") }),
  Postgres: () => postgres({ url, schema: `bench-${crypto.randomUUID()}` })
}

const measureCreation = async (name: string, host?: InternHost): Promise<void> => {
  const places: ReadonlyArray<{
    readonly stores: string
    readonly callers: number
    readonly box: Instance
    readonly rates: Array<number>
    readonly times: Array<number>
    statements: number
  }> = (
    await Promise.all(
      Object.entries(makeDatabase).map(async ([stores, database]) => ({
        stores,
        box: await startInstance(database(), host)
      }))
    )
  ).flatMap((place) =>
    [1, 32].map((callers) => ({ ...place, callers, rates: [], times: [], statements: 0 }))
  )
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const place of places) {
      const before = statements
      const { perSecond, times } = await createMany(place.box, size, place.callers)
      if (round === 0) continue
      place.rates.push(perSecond)
      place.times.push(...times)
      place.statements += statements - before
    }
  }
  const ofMemory = (callers: number): number =>
    median(
      places.find((place) => place.stores === "memory" && place.callers === callers)?.rates ?? []
    )
  console.table(
    places.map(({ callers, rates, statements: counted, stores, times }) => ({
      host: name,
      stores,
      callers,
      "created/s": Math.round(median(rates)),
      "memory = 1": (median(rates) / ofMemory(callers)).toFixed(2),
      "p50 ms": quantile(times, 0.5).toFixed(2),
      "p99 ms": quantile(times, 0.99).toFixed(2),
      "statements each": (counted / times.length).toFixed(1)
    }))
  )
  for (const instance of new Set(places.map((place) => place.box))) await instance.close()
}

const statuses: ReadonlyArray<InternStatus> = ["running", "stopped", "running", "failed", "running"]

const makeIntern = (n: number): Intern => {
  const tail = n.toString(36).padStart(20, "0")
  return {
    id: InternId.make(`intern_${tail}`),
    version: 1,
    account: defaultAccountId,
    workspace: defaultWorkspaceId,
    creator: UserId.make("user"),
    name: `i${n}`,
    description: "answers what comes in",
    instructions: "be brief",
    model: null,
    status: n % 1_000 === 0 ? "destroy_failed" : (statuses[n % statuses.length] ?? "stopped"),
    progress: null,
    lastFailureMessage: null,
    hostname: `i${n}-${tail}.interns.example.com`,
    vault: VaultId.make(`${n.toString(16).padStart(8, "0")}-0000-4000-8000-000000000000`),
    attachedVault: null,
    createdAt: n,
    updatedAt: n,
    creation: { key: `k${n}`, fingerprint: "f", shouldProvision: true, isReady: true, failures: 0 },
    run: {
      number: 1,
      kind: "provision",
      hasRun: true,
      name: `i${n}`,
      model: null,
      instructions: null,
      completedSteps: 1,
      notes: []
    }
  }
}

const measureListing = async (stores: string, database: Database | undefined) => {
  const instance = await startInstance(database)
  const store = Context.get(instance.context, InternStore)
  const { withTransaction } = Context.get(instance.context, Transaction)
  const { list } = Context.get(instance.context, Interns)
  const caller = makeCaller("user")
  const together = 1_000
  for (let from = 0; from < storedInterns; from += together) {
    const rows = Array.from({ length: Math.min(together, storedInterns - from) }, (_, n) =>
      makeIntern(from + n)
    )
    await Effect.runPromise(
      withTransaction(Effect.forEach(rows, (row) => store.add(row), { discard: true }))
    )
  }
  const first = await Effect.runPromise(list(caller, undefined, { limit: page }))
  // Cursors are consecutive numbers.
  const last = (first.nextCursor ?? 0) - storedInterns + page
  const depths = { beginning: undefined, middle: last + storedInterns / 2, end: last + page + 1 }
  const filters = {
    all: undefined,
    "one in five": ["failed"],
    "one in a thousand": ["destroy_failed"],
    three: ["running", "failed", "destroy_failed"]
  } satisfies Readonly<Record<string, ReadonlyArray<InternStatus> | undefined>>
  const rows = []
  for (const [filter, of] of Object.entries(filters)) {
    const row: Record<string, string | number> = { stores, filter }
    for (const [depth, after] of Object.entries(depths)) {
      const requested = list(caller, of, { limit: page, ...(after === undefined ? {} : { after }) })
      const times: Array<number> = []
      for (let look = 0; look < 60; look++) {
        const from = performance.now()
        const { rows: found } = await Effect.runPromise(requested)
        times.push(performance.now() - from)
        row[`${depth}, rows`] = found.length
      }
      row[`${depth}, ms`] = median(times.slice(10)).toFixed(2)
    }
    rows.push(row)
  }
  await instance.close()
  return rows
}

await measureCreation("built in")
await measureCreation("prepares", preparingHost)
for (const [stores, database] of Object.entries(makeDatabase)) {
  console.table(await measureListing(stores, database()))
}
await postgresHere?.stop()
