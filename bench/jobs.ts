/**
 * What a step of a job costs: offered, taken, run and finished under eight workers, on each store, against a
 * loop over an array written by hand; and what a poll costs as a step of its own and in a sweep. All in
 * one run: the ratio travels, absolute times say more about the machine. Postgres is tried where
 * DATABASE_URL names one, in a schema of its own that stays there.
 *
 * Usage: node bench/jobs.ts [rounds] [steps per round]
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { JobKind } from "@signalbox/core"
import { DurableJobs, sweep } from "@signalbox/core/adapter"
import { Atomically, JobStore, MemoryJournal } from "@signalbox/core/stores"
import { postgres, sqlite } from "@signalbox/sql"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { median } from "./quantile.ts"

const [rounds = 5, size = 2_000] = process.argv.slice(2).map(Number)
const concurrency = 8

const jobsOn = (stores: Layer.Layer<Atomically | JobStore, unknown>) =>
  Layer.fresh(DurableJobs.layer.pipe(Layer.provideMerge(stores)))
const inMemory = jobsOn(
  Layer.mergeAll(Atomically.layerMemory, JobStore.layerMemory).pipe(
    Layer.provide(MemoryJournal.layer)
  )
)
type Services = Layer.Success<typeof inMemory>
const inSqlite = () =>
  jobsOn(sqlite({ path: join(mkdtempSync(join(tmpdir(), "signalbox-")), "bench.db") }))
const url = process.env["DATABASE_URL"]
const inPostgres = () =>
  jobsOn(postgres({ url: url ?? "", schema: `bench-${crypto.randomUUID()}` }))

const kind = JobKind.make({ name: "bench", payload: Schema.Struct({ n: Schema.Int }), concurrency })
const step = (n: number, round = 0) => ({
  id: `job-${n}`,
  key: `job-${n}-${round}`,
  payload: { n }
})
const numbers = Array.from({ length: size }, (_, n) => n)

/** Counts down from `count`, and says when it is at zero. */
const countdown = (count: number) => {
  const done = Deferred.makeUnsafe<void>()
  let left = count
  return {
    done: Deferred.await(done),
    one: Effect.sync(() => {
      if (--left === 0) Deferred.doneUnsafe(done, Effect.void)
    })
  }
}

const byHand = Effect.promise(async () => {
  const waiting: Array<{ readonly id: string; readonly payload: { readonly n: number } }> = []
  const finished = new Set<string>()
  for (const n of numbers) waiting.push(JSON.parse(JSON.stringify(step(n))))
  const worker = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      await Promise.resolve()
      finished.add(next.id)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
})

/** Every step is offered in an atomic effect, as a domain does. */
const steps = Effect.gen(function* () {
  const { offer, work } = yield* DurableJobs
  const { atomically } = yield* Atomically
  const { done, one } = countdown(size)
  yield* work(kind, { run: () => one, onExhausted: () => Effect.void })
  yield* Effect.forEach(numbers, (n) => atomically(offer(kind, step(n))), { concurrency })
  yield* done
})

const stepsBehindDelayed = Effect.gen(function* () {
  const { offer } = yield* DurableJobs
  yield* Effect.forEach(numbers, (n) => offer(kind, { ...step(-n - 1), delay: "1 hour" }), {
    concurrency
  })
  yield* steps
})

/** Each poll offers the next, as if polls had to be durable. */
const pollsAsSteps = Effect.gen(function* () {
  const { offer, work } = yield* DurableJobs
  const { done, one } = countdown(size)
  yield* work(kind, {
    run: ({ n }) => (n < size ? Effect.andThen(offer(kind, step(n + size, 1)), one) : Effect.void),
    onExhausted: () => Effect.void
  })
  yield* Effect.forEach(numbers, (n) => offer(kind, step(n)), { concurrency })
  yield* done
})

const pollsInASweep = Effect.gen(function* () {
  const due = [...numbers]
  const { done, one } = countdown(size)
  yield* sweep({
    name: "bench",
    claim: (limit) => Effect.sync(() => due.splice(0, limit)),
    run: () => one,
    concurrency: 32,
    everyMillis: 1_000,
    deadlineMillis: 60_000
  })
  yield* done
})

interface Cost {
  /** Of the processor, in microseconds. */
  readonly cpu: number
  readonly millis: number
}

const cost = async (layer: Layer.Layer<Services, unknown>, work: typeof steps): Promise<Cost> =>
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
  "a loop by hand": () => cost(inMemory, byHand),
  "a step, in memory": () => cost(inMemory, steps),
  "a step, in memory, as many delayed": () => cost(inMemory, stepsBehindDelayed),
  "a step, in a SQLite file": () => cost(inSqlite(), steps),
  "a poll as a step, in memory": () => cost(inMemory, pollsAsSteps),
  "a poll as a step, in a SQLite file": () => cost(inSqlite(), pollsAsSteps),
  ...(url === undefined
    ? undefined
    : {
        "a step, in Postgres": () => cost(inPostgres(), steps),
        "a poll as a step, in Postgres": () => cost(inPostgres(), pollsAsSteps)
      }),
  "a poll in a sweep": () => cost(inMemory, pollsInASweep)
}

const measured = new Map<string, Array<Cost>>()
for (let round = 0; round < rounds; round++) {
  for (const [what, measure] of Object.entries(subjects)) {
    const costs = measured.get(what) ?? []
    costs.push(await measure())
    measured.set(what, costs)
  }
}

const medianOf = (costs: ReadonlyArray<Cost>, of: keyof Cost): number =>
  median(costs.map((each) => each[of]))

const base = medianOf(measured.get("a loop by hand") ?? [], "cpu")
console.table(
  Array.from(measured, ([what, costs]) => ({
    what,
    "per second": Math.round((size * 1_000) / medianOf(costs, "millis")),
    "CPU us": medianOf(costs, "cpu").toFixed(1),
    "by hand = 1": (medianOf(costs, "cpu") / base).toFixed(1)
  }))
)
