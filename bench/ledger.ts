/**
 * Measures reservations on Postgres: 200 requests at once under the limit of one key, as they are made and with a statement for
 * each; and what the requests of a key with room wait while another key is exhausted and hammered. Compare ratios, because
 * absolute times depend on the machine. The CPU time is that of the sessions of Postgres, which has to run here, on Linux.
 *
 * Usage: node bench/ledger.ts [rounds] [requests per round]
 * Uses the Postgres of DATABASE_URL, or starts that of the tests.
 */
import { readFileSync } from "node:fs"
import { AccountId, NanoUsd } from "@signalbox/core"
import { LedgerStore, type Limit } from "@signalbox/core/stores"
import { postgres } from "@signalbox/sql"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { SqlClient } from "effect/sql/SqlClient"
import { startPostgres } from "../packages/sql/test/startPostgres.ts"
import { median, quantile } from "./quantile.ts"

const [rounds = 5, requests = 2_000] = process.argv.slice(2).map(Number)
const concurrency = 200
const account = AccountId.make("bench")
const amount = NanoUsd.make(1_000n)
const leaseMillis = 600_000

const makeLimit = (id: string, cap: bigint): Limit => ({
  kind: "key",
  id,
  interval: "lifetime",
  window: "lifetime",
  endsAt: Infinity,
  cap: NanoUsd.make(cap),
  countsByok: false
})
const wide = 1_000_000_000_000n

const postgresHere = process.env["DATABASE_URL"] === undefined ? await startPostgres() : undefined
const url = process.env["DATABASE_URL"] ?? postgresHere?.url ?? ""

/** CPU milliseconds of the sessions of this benchmark. */
const readCpu = (sql: SqlClient) =>
  Effect.map(
    sql<{ pid: number }>`SELECT pid FROM pg_stat_activity WHERE application_name = 'signalbox'`,
    (rows) =>
      rows
        .map(
          ({ pid }) => readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? []
        )
        .reduce((sum, fields) => sum + (Number(fields[11]) + Number(fields[12])) * 10, 0)
  )

const measure = Effect.fnUntraced(function* (sql: SqlClient, request: Effect.Effect<unknown>) {
  const cpu = yield* readCpu(sql)
  const startedAt = performance.now()
  yield* Effect.all(
    Array.from({ length: concurrency }, () =>
      Effect.repeat(request, { times: Math.ceil(requests / concurrency) - 1 })
    ),
    { concurrency: "unbounded" }
  )
  const seconds = (performance.now() - startedAt) / 1_000
  return { rate: requests / seconds, cpu: ((yield* readCpu(sql)) - cpu) / requests }
})

const compareRates = Effect.fnUntraced(function* (sql: SqlClient, ledger: LedgerStore["Service"]) {
  const reserveAndSettle = (limit: Limit) =>
    Effect.orDie(
      Effect.flatMap(ledger.reserve({ account, limits: [limit], amount, leaseMillis }), (id) =>
        ledger.settle(id, amount)
      )
    )
  /** What versions before `ledger_apply` ran. */
  const withStatementEach = (limit: Limit) =>
    Effect.orDie(
      Effect.suspend(() => {
        const id = crypto.randomUUID()
        const limits = [
          { ...limit, counterKey: limit.id, endsAt: null, subject: null, cap: String(limit.cap) }
        ]
        const now = Date.now()
        return Effect.andThen(
          sql`SELECT * FROM ledger_reserve(${id}, ${amount}, ${now}, ${now + leaseMillis}, ${JSON.stringify(limits)})`,
          sql`SELECT * FROM ledger_end(${id}, ${amount})`
        )
      })
    )
  const [together, each] = [new Array<Measured>(), new Array<Measured>()]
  for (let round = 0; round <= rounds; round++) {
    const limit = makeLimit(crypto.randomUUID(), wide)
    const other = makeLimit(crypto.randomUUID(), wide)
    const results = [
      yield* measure(sql, reserveAndSettle(limit)),
      yield* measure(sql, withStatementEach(other))
    ] as const
    if (round === 0) continue
    together.push(results[0])
    each.push(results[1])
    const { settled } = yield* ledger.getUsage(limit)
    const expected = BigInt(requests * Number(amount))
    if (settled !== expected) throw new Error(`settled ${settled} of ${expected}`)
  }
  const toRow = (how: string, measured: ReadonlyArray<Measured>) => ({
    [`${concurrency} at once`]: how,
    "requests/s": Math.round(median(measured.map(({ rate }) => rate))),
    "times the rate": (
      median(measured.map(({ rate }) => rate)) / median(each.map(({ rate }) => rate))
    ).toFixed(1),
    "CPU ms of Postgres": median(measured.map(({ cpu }) => cpu)).toFixed(2),
    "of its CPU": (
      median(measured.map(({ cpu }) => cpu)) / median(each.map(({ cpu }) => cpu))
    ).toFixed(2)
  })
  console.table([toRow("a statement for each", each), toRow("as they are made", together)])
})

interface Measured {
  readonly rate: number
  readonly cpu: number
}

/** Requests of a key with room, 10 ms apart, while `hammers` fibers hammer one without. */
const measureOther = Effect.fnUntraced(function* (ledger: LedgerStore["Service"], hammers: number) {
  const exhausted = makeLimit(crypto.randomUUID(), 1n)
  const roomy = makeLimit(crypto.randomUUID(), wide)
  const hammer = Effect.exit(ledger.reserve({ account, limits: [exhausted], amount, leaseMillis }))
  let refusals = 0
  const hammering = yield* Effect.forkChild(
    Effect.all(
      Array.from({ length: hammers }, () =>
        // A caller in a loop takes some time for each request, too.
        Effect.forever(
          Effect.delay(
            Effect.tap(hammer, () => Effect.sync(() => refusals++)),
            100
          )
        )
      ),
      { concurrency: "unbounded" }
    )
  )
  const times: Array<number> = []
  for (let n = 0; n < 200; n++) {
    const startedAt = performance.now()
    const id = yield* Effect.orDie(
      ledger.reserve({ account, limits: [roomy], amount, leaseMillis })
    )
    yield* ledger.settle(id, amount)
    times.push(performance.now() - startedAt)
    yield* Effect.sleep(10)
  }
  hammering.interruptUnsafe()
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99), refusals }
})

const stores = postgres({ url, schema: `bench-${crypto.randomUUID()}`, batchIntervalMillis: 0 })
await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const context = yield* Layer.build(stores)
      const ledger = Context.get(context, LedgerStore)
      yield* compareRates(Context.get(context, SqlClient), ledger)
      const rows = []
      for (let round = 0; round <= rounds; round++) {
        const alone = yield* measureOther(ledger, 0)
        const beside = yield* measureOther(ledger, 100)
        if (round > 0) rows.push({ alone, beside })
      }
      const alone = median(rows.map((row) => row.alone.p50))
      const beside = median(rows.map((row) => row.beside.p50))
      console.table([
        { "another key": "alone", "p50 ms": alone.toFixed(2), "times p50": "1.00", refusals: 0 },
        {
          "another key": "beside an exhausted one, 100 at once",
          "p50 ms": beside.toFixed(2),
          "times p50": (beside / alone).toFixed(2),
          refusals: median(rows.map((row) => row.beside.refusals))
        }
      ])
    })
  )
)
await postgresHere?.stop()
