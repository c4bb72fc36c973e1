/**
 * Measures the lists of requests and of sessions over many records in Postgres: 30 days of one account with 50 models, 20 providers
 * and sessions of 20 requests. Prints the median time of each first page, and the bytes of its answer.
 *
 * Usage: node bench/records.ts [records] [runs of a query]
 * Uses the Postgres of DATABASE_URL, or starts that of the tests.
 */
import { type Options, Signalbox } from "@signalbox/node"
import { postgres } from "@signalbox/sql"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { startPostgres } from "../packages/sql/test/startPostgres.ts"
import { inMemoryChat } from "./inMemoryChat.ts"
import { median } from "./quantile.ts"

const [records = 1_000_000, runs = 7] = process.argv.slice(2).map(Number)
const spanMillis = 30 * 86_400_000

const server =
  process.env["DATABASE_URL"] === undefined ? await startPostgres(["fsync=off"]) : undefined
const url = process.env["DATABASE_URL"] ?? server?.url ?? ""
const stores = postgres({ url, schema: `bench-${crypto.randomUUID()}` })
const options: Options = {
  upstreams: [inMemoryChat("bench")],
  models: [
    {
      id: "author/model",
      endpoints: [{ provider: "bench", price: { prompt: "0.000001", completion: "0.000002" } }]
    }
  ],
  stores
}
const instance = await Signalbox.make(options)
await instance.chat(
  { model: "author/model", messages: [{ role: "user", content: "Hello" }] },
  { caller: { kind: "organization", tags: { customer: "base", team: "all" } } }
)
// Reading writes what is waiting.
await instance.generations.list()

/** Copies of the record, which differ in what lists filter and sort by. */
const fill = Effect.gen(function* () {
  const sql = yield* SqlClient
  yield* sql`INSERT INTO generations (id, account, started_at, workspace, key_hash, acting_user,
      user_id, session_id, request_id, model, provider, operation, outcome, preset, latency, cost,
      tokens, tags, document)
    SELECT 'gen-0-' || n, account, started_at - (n * ${spanMillis}::bigint) / ${records}, workspace,
      key_hash, acting_user, 'user-' || n % 5000, 'session-' || n / 20, 'request-' || n,
      'author/model-' || n % 50, 'provider-' || n % 20, operation,
      CASE WHEN n % 50 = 0 THEN 'AttemptsFailed' ELSE outcome END, preset,
      (n::bigint * 7919) % 30000, (n::bigint * 104729) % 100000000, (n::bigint * 7907) % 20000,
      CAST(replace(CAST(tags AS text), 'customer:base', 'customer:c' || n % 1000) AS jsonb),
      replace(replace(replace(document, id, 'gen-0-' || n), '"provider":"bench"',
        '"provider":"provider-' || n % 20 || '"'), '"customer":"base"', '"customer":"c' || n % 1000 || '"')
    FROM generations, generate_series(1, ${records}) n`
  yield* sql`ANALYZE generations`
})
await Effect.runPromise(
  Effect.scoped(
    Effect.flatMap(Layer.build(stores), (context) => Effect.provideContext(fill, context))
  )
)

const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString()
const lists: Readonly<Record<string, Parameters<typeof instance.generations.list>[0]>> = {
  "the latest": {},
  "the slowest of 7 days": { sort: "latency", from: ago(167) },
  "the dearest of 7 days": { sort: "cost", from: ago(167) },
  "the dearest of an hour": { sort: "cost", from: ago(1) },
  "the few above a cost, of 30 days": { min_cost: 0.0999 },
  "failed, of 30 days": { outcome: "failed" },
  "of one model": { model: "author/model-7" },
  "of one provider": { provider: "provider-7" },
  "of one session": { session_id: "session-700" },
  "of one user": { external_user: "user-77" },
  "with a tag that no record has": { tag: "team:none" },
  "with a tag of one in a thousand": { tag: "customer:c7" },
  "with a tag that all have": { tag: "team:all" },
  "with a tag and failed": { tag: "customer:c50", outcome: "failed" }
}
const queries: Readonly<Record<string, () => Promise<unknown>>> = {
  ...Object.fromEntries(
    Object.entries(lists).map(([name, query]) => [
      name,
      () => instance.generations.list({ ...query, limit: 50 })
    ])
  ),
  "sessions of a day": () => instance.sessions.list({ limit: 50 }),
  "sessions of 7 days": () => instance.sessions.list({ from: ago(167), limit: 50 }),
  "one session": () => instance.sessions.list({ session_id: "session-700" })
}

console.log(`${records} records, ${runs} runs of each query`)
console.log("requests                             ms       kB")
for (const [name, query] of Object.entries(queries)) {
  const times: Array<number> = []
  let bytes = 0
  for (let run = 0; run < runs; run++) {
    const begun = performance.now()
    const page = await query()
    times.push(performance.now() - begun)
    bytes = JSON.stringify(page).length
  }
  console.log(
    name.padEnd(32),
    median(times).toFixed(1).padStart(8),
    (bytes / 1_000).toFixed(1).padStart(8)
  )
}
await instance.close()
await server?.stop()
process.exit(0)
