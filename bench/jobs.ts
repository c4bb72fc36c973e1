/**
 * Compares a step of a job with a hand-written loop over an array, on each store. A step is offered, taken, run and finished
 * with eight workers. Also compares a poll as a step with a poll in a sweep. Compare ratios, because absolute times depend
 * on the machine. Postgres needs DATABASE_URL; its schema is not removed.
 *
 * Usage: node bench/jobs.ts [rounds] [steps per round]
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { JobKind } from "@signalbox/core/stores"
import { DurableJobs, sweep } from "@signalbox/core/adapter"
import { type JobStore, memoryStores, Transaction } from "@signalbox/core/stores"
import { postgres, sqlite } from "@signalbox/sql"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { median } from "./quantile.ts"

const [rounds = 5, size = 2_000] = process.argv.slice(2).map(Number)
const concurrency = 8

const makeJobs = (stores: Layer.Layer<Transaction | JobStore, unknown>) =>
  Layer.fresh(DurableJobs.layer.pipe(Layer.provideMerge(stores)))
const inMemory = makeJobs(memoryStores)
type Services = Layer.Success<typeof inMemory>
const inSqlite = () =>
  makeJobs(sqlite({ path: join(mkdtempSync(join(tmpdir(), "signalbox-")), "bench.db") }))
const url = process.env["DATABASE_URL"]
const inPostgres = () =>
  makeJobs(postgres({ url: url ?? "", schema: `bench-${crypto.randomUUID()}` }))

const kind = JobKind.make({ name: "bench", payload: Schema.Struct({ n: Schema.Int }), concurrency })
const makeStep = (n: number, round = 0) => ({
  id: `job-${n}`,
  key: `job-${n}-${round}`,
  payload: { n }
})
const numbers = Array.from({ length: size }, (_, n) => n)

/** Counts down from `count`, and resolves at zero. */
const makeCountdown = (count: number) => {
  const done = Deferred.makeUnsafe<void>()
  let left = count
  return {
    done: Deferred.await(done),
    one: Effect.sync(() => {
      if (--left === 0) Deferred.doneUnsafe(done, Effect.void)
    })
  }
}

const runByHand = Effect.promise(async () => {
  const waiting: Array<{ readonly id: string; readonly payload: { readonly n: number } }> = []
  const finished = new Set<string>()
  for (const n of numbers) waiting.push(JSON.parse(JSON.stringify(makeStep(n))))
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await Promise.resolve()
      finished.add(next.id)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
})

/** Offers every step in a transaction, as a domain does. */
const runSteps = Effect.gen(function* () {
  const { offer, work } = yield* DurableJobs
  const { withTransaction } = yield* Transaction
  const { done, one } = makeCountdown(size)
  yield* work(kind, { run: () => one, onExhausted: () => Effect.void })
  yield* Effect.forEach(numbers, (n) => withTransaction(offer(kind, makeStep(n))), { concurrency })
  yield* done
})

const runStepsBehindDelayed = Effect.gen(function* () {
  const { offer } = yield* DurableJobs
  yield* Effect.forEach(numbers, (n) => offer(kind, { ...makeStep(-n - 1), delay: "1 hour" }), {
    concurrency
  })
  yield* runSteps
})

/** Each poll offers the next one, as a durable step. */
const runPollsAsSteps = Effect.gen(function* () {
  const { offer, work } = yield* DurableJobs
  const { done, one } = makeCountdown(size)
  yield* work(kind, {
    run: ({ n }) =>
      n < size ? Effect.andThen(offer(kind, makeStep(n + size, 1)), one) : Effect.void,
    onExhausted: () => Effect.void
  })
  yield* Effect.forEach(numbers, (n) => offer(kind, makeStep(n)), { concurrency })
  yield* done
})

const runPollsInSweep = Effect.gen(function* () {
  const due = [...numbers]
  const { done, one } = makeCountdown(size)
  yield* sweep({
    name: "bench",
    claim: (limit) => Effect.sync(() => due.splice(0, limit)),
    run: () => one,
    concurrency: 32,
    intervalMillis: 1_000,
    timeoutMillis: 60_000
  })
  yield* done
})

interface Cost {
  /** CPU time in microseconds. */
  readonly cpu: number
  readonly millis: number
}

const measureCost = async (
  layer: Layer.Layer<Services, unknown>,
  work: typeof runSteps
): Promise<Cost> =>
  Effect.runPromise(
    Effect.gen(function* () {
      const started = performance.now()
      const before = process.cpuUsage()
      yield* work
      const { system, user } = process.cpuUsage(before)
      return { cpu: (system + user) / size, millis: performance.now() - started }
    }).pipe(Effect.scoped, Effect.provide(layer))
  )

const subjects: Readonly<Record<string, () => Promise<Cost>>> = {
  "a loop by hand": () => measureCost(inMemory, runByHand),
  "a step, in memory": () => measureCost(inMemory, runSteps),
  "a step, in memory, as many delayed": () => measureCost(inMemory, runStepsBehindDelayed),
  "a step, in a SQLite file": () => measureCost(inSqlite(), runSteps),
  "a poll as a step, in memory": () => measureCost(inMemory, runPollsAsSteps),
  "a poll as a step, in a SQLite file": () => measureCost(inSqlite(), runPollsAsSteps),
  ...(url === undefined
    ? undefined
    : {
        "a step, in Postgres": () => measureCost(inPostgres(), runSteps),
        "a poll as a step, in Postgres": () => measureCost(inPostgres(), runPollsAsSteps)
      }),
  "a poll in a sweep": () => measureCost(inMemory, runPollsInSweep)
}

const measured = new Map<string, Array<Cost>>()
for (let round = 0; round < rounds; round++) {
  for (const [what, measure] of Object.entries(subjects)) {
    const costs = measured.get(what) ?? []
    costs.push(await measure())
    measured.set(what, costs)
  }
}

const toMedian = (costs: ReadonlyArray<Cost>, of: keyof Cost): number =>
  median(costs.map((each) => each[of]))

const base = toMedian(measured.get("a loop by hand") ?? [], "cpu")
console.table(
  Array.from(measured, ([what, costs]) => ({
    what,
    "per second": Math.round((size * 1_000) / toMedian(costs, "millis")),
    "CPU us": toMedian(costs, "cpu").toFixed(1),
    "by hand = 1": (toMedian(costs, "cpu") / base).toFixed(1)
  }))
)
