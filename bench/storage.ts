/**
 * Measures a Decision in process on an in-memory upstream, with stores in memory, SQLite and Postgres; and reads with few and
 * with many rows. Compare ratios and differences, because absolute times depend on the machine.
 *
 * Usage: node bench/storage.ts [rounds] [Decisions per round] [generations kept]
 * Uses the Postgres of DATABASE_URL, or starts that of the tests.
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { AccountId, GenerationId, type Options } from "@signalbox/core"
import {
  type AuditEntry,
  AuditLog,
  defaultWorkspaceId,
  type Generation,
  GenerationStore,
  type Stores
} from "@signalbox/core/stores"
import type { Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { postgres, sqlite } from "@signalbox/sql"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { CurrentTransformer } from "effect/sql/Statement"
import { startPostgres } from "../packages/sql/test/startPostgres.ts"
import { decisionRequest } from "./decisionRequest.ts"
import { median } from "./quantile.ts"

const [rounds = 7, decisions = 400, storedRows = 1_000_000] = process.argv.slice(2).map(Number)
const concurrency = 32

const reply = Effect.succeed({
  verdicts: new Map([
    ["urgent", { weights: [0.83, 0.17] }],
    ["topic", { weights: [0.78, 0.22, 0] }],
    ["mood", { weights: [0.2, 0.4, 0.4] }]
  ]),
  usage: { inputTokens: 120, outputTokens: 0 },
  method: "native"
})
const upstream: Upstream = {
  slug: "bench",
  name: "Bench",
  decisions: {
    decide: () => reply,
    estimateWorstCase: ({ contentBytes }) => ({ inputTokens: contentBytes, outputTokens: 0 })
  }
}

let statements = 0
const countStatements = Layer.succeed(CurrentTransformer, (statement) => {
  statements++
  return Effect.succeed(statement)
})

const startInstance = (
  stores: Layer.Layer<Stores, Error> | undefined,
  credits: Options["credits"]
) =>
  Signalbox.make({
    upstreams: [upstream],
    models: [
      {
        id: decisionRequest.model,
        endpoints: [{ provider: "bench", price: { prompt: "0.000001", completion: "0" } }]
      }
    ],
    ...(stores === undefined ? undefined : { stores: Layer.merge(stores, countStatements) }),
    ...(credits === undefined ? undefined : { credits })
  })

const postgresHere = process.env["DATABASE_URL"] === undefined ? await startPostgres() : undefined
const url = process.env["DATABASE_URL"] ?? postgresHere?.url ?? ""
const schema = `bench-${crypto.randomUUID()}`
const file = join(mkdtempSync(join(tmpdir(), "signalbox-")), "signalbox.db")

const compareStores = async (spending: string, credits: Options["credits"]): Promise<void> => {
  const measured = await Promise.all(
    Object.entries({
      memory: undefined,
      SQLite: sqlite({ path: `${file}-${spending}` }),
      Postgres: postgres({ url, schema: `${schema}-${spending}` })
    }).map(async ([name, stores]) => ({
      name,
      instance: await startInstance(stores, credits),
      alone: new Array<number>(),
      rates: new Array<number>(),
      statements: 0,
      served: 0
    }))
  )
  // The first round warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const server of measured) {
      const { instance } = server
      const before = statements
      const alone: Array<number> = []
      for (let i = 0; i < decisions; i++) {
        const startedAt = performance.now()
        await instance.decide(decisionRequest)
        alone.push(performance.now() - startedAt)
      }
      const startedAt = performance.now()
      const worker = async () => {
        for (let i = 0; i < decisions / 4; i++) await instance.decide(decisionRequest)
      }
      await Promise.all(Array.from({ length: concurrency }, worker))
      const seconds = (performance.now() - startedAt) / 1_000
      if (round === 0) continue
      server.alone.push(median(alone))
      server.rates.push((concurrency * (decisions / 4)) / seconds)
      server.statements += statements - before
      server.served += decisions + concurrency * (decisions / 4)
    }
  }
  const [memory] = measured
  if (memory === undefined) throw new Error("there is nothing to compare with")
  console.table(
    measured.map(({ alone, name, rates, served, statements }) => ({
      spending,
      stores: name,
      "p50 ms": median(alone).toFixed(3),
      "added p50 ms": (median(alone) - median(memory.alone)).toFixed(3),
      [`${concurrency} at once, memory = 1`]: (median(rates) / median(memory.rates)).toFixed(2),
      "requests/s": Math.round(median(rates)),
      "statements before the answer": (statements / served).toFixed(2)
    }))
  )
  for (const { instance } of measured) await instance.close()
}

const account = AccountId.make("bench")
const page = 50
const toId = (n: number) => GenerationId.make(`gen-dec-0-${n}`)

/** Copies of one row, which differ only in the indexed columns. */
const fill = Effect.fnUntraced(function* (count: number) {
  const sql = yield* SqlClient
  const numbers = sql.onDialectOrElse({
    pg: () => sql`SELECT n FROM generate_series(1, ${count}) n`,
    orElse: () => sql`WITH RECURSIVE numbers(n) AS (
      SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count}) SELECT n FROM numbers`
  })
  const generation: Generation = {
    id: toId(1),
    account,
    workspace: defaultWorkspaceId,
    operation: "decisions",
    startedAt: 1,
    latencyMillis: 1,
    configuration: 1,
    requestedModel: "x".repeat(600),
    attempts: [],
    rejected: [],
    demoted: []
  }
  const entry: AuditEntry = {
    id: "entry",
    account,
    at: 1,
    actor: {},
    action: "workspace.create",
    target: "x".repeat(600)
  }
  yield* sql`DELETE FROM generations`
  yield* sql`DELETE FROM audit_entries`
  yield* sql`INSERT INTO generations (id, account, started_at, document)
    SELECT 'gen-dec-0-' || n, ${account}, n, ${JSON.stringify(generation)} FROM (${numbers}) s`
  yield* sql`INSERT INTO audit_entries (account, occurred_at, document)
    SELECT ${account}, n, ${JSON.stringify(entry)} FROM (${numbers}) s`
  yield* sql`ANALYZE`
})

const measureTimes = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const times: Array<number> = []
  for (let i = 0; i < 41; i++) {
    const startedAt = performance.now()
    yield* effect
    times.push(performance.now() - startedAt)
  }
  return median(times).toFixed(2)
})

const measureGrowth = Effect.fnUntraced(function* (
  stores: string,
  context: Context.Context<Stores | SqlClient>
) {
  const rows = []
  for (const count of [storedRows / 100, storedRows]) {
    yield* Effect.provideContext(fill(count), context)
    const { find } = Context.get(context, GenerationStore)
    const { list } = Context.get(context, AuditLog)
    const { nextCursor } = yield* list(account, { limit: 1 })
    const last = { limit: page, after: (nextCursor ?? 0) - count + page + 1 }
    rows.push({
      stores,
      "rows kept": count,
      "find, oldest ms": yield* measureTimes(find(account, toId(1))),
      "find, newest ms": yield* measureTimes(find(account, toId(count))),
      "audit log, first page ms": yield* measureTimes(list(account, { limit: page })),
      "audit log, last page ms": yield* measureTimes(list(account, last))
    })
  }
  return rows
})

await compareStores("unlimited", undefined)
await compareStores("limited", { default: "1000000" })
for (const [name, stores] of Object.entries({
  SQLite: sqlite({ path: `${file}-growing` }),
  Postgres: postgres({ url, schema: `${schema}-growing` })
})) {
  const growth = Effect.flatMap(Layer.build(stores), (context) => measureGrowth(name, context))
  console.table(await Effect.runPromise(Effect.scoped(growth)))
}
await postgresHere?.stop()
