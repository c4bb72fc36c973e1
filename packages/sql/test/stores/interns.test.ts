/** Interns of several instances on one database: created once, run once and resumed after an instance closes. */
import type { InternStatus } from "@signalbox/core/contract"
import type { Services } from "@signalbox/core"
import { Interns } from "@signalbox/core/adapter"
import type { Intern, Stores } from "@signalbox/core/stores"
import { makeHostFailure, type InternCall, ScriptedInternHost } from "@signalbox/testing"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { assert, describe, it } from "vitest"
import { postgres, sqlite } from "../../src/index.ts"
import { newFile, newSchema } from "../databases.ts"
import { ann, layerInternInstance } from "../internInstance.ts"

const create = (request: Partial<Parameters<Interns["Service"]["create"]>[1]> = {}, key?: string) =>
  Interns.use((interns) => interns.create(ann, { name: "ida", ...request }, key))

const find = (id: string) => Interns.use((interns) => interns.get(ann, id))

const list = Interns.use((interns) => interns.list(ann, undefined, { limit: 500 }))

const untilStatus = (id: string, status: InternStatus) =>
  Effect.repeat(find(id), {
    until: (intern) => intern.status === status && intern.claim === undefined,
    schedule: Schedule.spaced(20)
  })

/** Polls with the real clock, because the databases are real. */
const until = (condition: () => boolean) =>
  Effect.repeat(Effect.sync(condition), { until: Boolean, schedule: Schedule.spaced(10) })

const databases = {
  SQLite: () => {
    const path = newFile()
    return () => sqlite({ path })
  },
  Postgres: () => {
    const schema = newSchema()
    return () => postgres(schema)
  }
}

/** Runs `test` in an instance and closes it, as when a process exits in good order. */
const runInInstance = <A, E>(
  stores: Layer.Layer<Stores, Error>,
  host: ScriptedInternHost,
  test: Effect.Effect<A, E, Services>
): Promise<A> =>
  Effect.runPromise(Effect.provide(test, Layer.fresh(layerInternInstance(stores, host))))

/** Creates an intern and closes the instance during the given call to its host. Returns the id. */
const provisionUntil = (
  host: ScriptedInternHost,
  stores: Layer.Layer<Stores, Error>,
  call: InternCall
): Promise<string> =>
  runInInstance(
    stores,
    host,
    Effect.gen(function* () {
      const { intern } = yield* create({ provision: true })
      yield* until(() => host.listCalls().includes(call))
      return intern.id
    })
  )

const times = (count: number) => Array.from({ length: count }, (_, n) => n)
const atOnce = { concurrency: "unbounded" } as const
const limit = { timeout: 900_000 }

describe("interns of two instances on one Postgres", () => {
  it("are created and run once for concurrent creates with one key", limit, () =>
    Effect.gen(function* () {
      const host = new ScriptedInternHost()
      host.script("prepare", Effect.sleep(200))
      const stores = databases.Postgres()
      // One after the other, since the first one creates the tables.
      const first = yield* Layer.build(Layer.fresh(layerInternInstance(stores(), host)))
      const second = yield* Layer.build(Layer.fresh(layerInternInstance(stores(), host)))
      const created = yield* Effect.forEach(
        times(50),
        (n) =>
          Effect.provideContext(create({ provision: true }, "once"), n % 2 === 0 ? first : second),
        atOnce
      )
      assert.lengthOf(new Set(created.map(({ intern }) => intern.id)), 1)
      assert.lengthOf(
        created.filter(({ isNew }) => isNew),
        1
      )
      const id = created[0]?.intern.id ?? ""
      yield* Effect.provideContext(untilStatus(id, "running"), first)
      assert.deepStrictEqual(host.listCalls(), ["prepare", "step 0", "step 1"])
      assert.lengthOf((yield* Effect.provideContext(list, second)).rows, 1)
    }).pipe(Effect.scoped, Effect.runPromise)
  )

  it("are provisioned once by concurrent requests to both", limit, () =>
    Effect.gen(function* () {
      const host = new ScriptedInternHost()
      const stores = databases.Postgres()
      const first = yield* Layer.build(Layer.fresh(layerInternInstance(stores(), host)))
      const second = yield* Layer.build(Layer.fresh(layerInternInstance(stores(), host)))
      const pickContext = (n: number) => (n % 2 === 0 ? first : second)
      const { intern } = yield* Effect.provideContext(create(), first)
      const provisioned = yield* Effect.forEach(
        times(20),
        (n) =>
          Effect.exit(
            Effect.provideContext(
              Interns.use((interns) => interns.provision(ann, intern.id)),
              pickContext(n)
            )
          ),
        atOnce
      )
      assert.lengthOf(
        provisioned.filter(({ _tag }) => _tag === "Success"),
        1
      )
      const patches = yield* Effect.forEach(
        times(20),
        (n) =>
          Effect.provideContext(
            Interns.use((interns) => interns.update(ann, intern.id, { description: `${n}` })),
            pickContext(n)
          ),
        atOnce
      )
      assert.lengthOf(patches, 20)
      yield* Effect.provideContext(untilStatus(intern.id, "running"), first)
      assert.deepStrictEqual(host.listCalls(), ["prepare", "step 0", "step 1"])
    }).pipe(Effect.scoped, Effect.runPromise)
  )
})

describe.each(["SQLite", "Postgres"] as const)("interns on %s after an instance closes", (name) => {
  it("are provisioned from the interrupted step on", limit, async () => {
    const host = new ScriptedInternHost({ steps: ["One", "Two", "Three"] })
    host.script("step 0", Effect.succeed("vm-1"))
    host.script("step 1", Effect.never)
    const stores = databases[name]()
    const id = await provisionUntil(host, stores(), "step 1")
    const running: Intern = await runInInstance(stores(), host, untilStatus(id, "running"))
    assert.deepStrictEqual(host.listCalls(), ["prepare", "step 0", "step 1", "step 1", "step 2"])
    assert.deepStrictEqual(host.calls.at(-1)?.intern.notes, ["vm-1", null])
    assert.strictEqual(running.run.number, 1)
  })

  it("are rolled back from the interrupted step on", limit, async () => {
    const host = new ScriptedInternHost()
    host.script("step 1", makeHostFailure("no", true))
    host.script("undo 1", Effect.never)
    const stores = databases[name]()
    const id = await provisionUntil(host, stores(), "undo 1")
    const failed = await runInInstance(stores(), host, untilStatus(id, "failed"))
    assert.strictEqual(failed.lastFailureMessage, "Booting: no")
    assert.deepStrictEqual(host.listCalls().slice(-3), ["undo 1", "undo 1", "undo 0"])
  })

  it("are created by a repeated request, and destroyed by the next instance", limit, async () => {
    const host = new ScriptedInternHost()
    host.script("prepare", makeHostFailure("no"))
    host.script("destroy", Effect.never)
    const stores = databases[name]()
    const failure = await runInInstance(
      stores(),
      host,
      Effect.flip(create({ provision: true }, "k"))
    )
    assert.strictEqual(failure._tag, "UpstreamUnavailable")
    await runInInstance(
      stores(),
      host,
      Effect.gen(function* () {
        const { intern, isNew } = yield* create({ provision: true }, "k")
        assert.isTrue(isNew)
        yield* untilStatus(intern.id, "running")
        yield* Interns.use((interns) => interns.destroy(ann, intern.id))
        yield* until(() => host.listCalls().includes("destroy"))
      })
    )
    await runInInstance(
      stores(),
      host,
      Effect.repeat(list, {
        until: ({ rows }) => rows.length === 0,
        schedule: Schedule.spaced(20)
      })
    )
    assert.deepStrictEqual(host.listCalls().slice(-3), ["archive", "destroy", "destroy"])
  })
})

/** Shifts the time that an effect reads. Sleeps take as long as before. */
const withLaterClock =
  (millis: number) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Clock.clockWith((clock) =>
      Effect.provideService(effect, Clock.Clock, {
        currentTimeMillisUnsafe: () => clock.currentTimeMillisUnsafe() + millis,
        currentTimeMillis: Effect.map(clock.currentTimeMillis, (now) => now + millis),
        currentTimeNanosUnsafe: () => clock.currentTimeNanosUnsafe(),
        currentTimeNanos: clock.currentTimeNanos,
        monotonicTimeNanosUnsafe: () => clock.monotonicTimeNanosUnsafe(),
        monotonicTimeNanos: clock.monotonicTimeNanos,
        sleep: (duration) => clock.sleep(duration)
      })
    )

const dayMillis = 86_400_000

describe.each(["SQLite", "Postgres"] as const)("the idempotency key of a create on %s", (name) => {
  it("identifies its request for 24 hours, and one new request after that", limit, () => {
    const host = new ScriptedInternHost()
    return runInInstance(
      databases[name]()(),
      host,
      Effect.gen(function* () {
        const first = yield* create({}, "k")
        assert.isTrue(first.isNew)
        const within = yield* withLaterClock(dayMillis - 60_000)(create({}, "k"))
        assert.deepStrictEqual([within.isNew, within.intern.id], [false, first.intern.id])
        const reused = yield* withLaterClock(dayMillis - 60_000)(
          Effect.flip(create({ name: "eve" }, "k"))
        )
        assert.strictEqual(reused._tag, "IdempotencyKeyReused")
        // Only one of the concurrent creates after that creates an intern.
        const repeated = yield* Effect.forEach(
          times(20),
          () => withLaterClock(dayMillis)(create({ name: "eve" }, "k")),
          atOnce
        )
        assert.lengthOf(new Set(repeated.map(({ intern }) => intern.id)), 1)
        assert.lengthOf(
          repeated.filter(({ isNew }) => isNew),
          1
        )
        const { rows } = yield* list
        assert.deepStrictEqual(
          rows.map((row) => row.name),
          ["eve", "ida"]
        )
        // The first intern no longer holds the key.
        assert.isUndefined((yield* find(first.intern.id)).creation.key)
        assert.isFalse((yield* withLaterClock(dayMillis)(create({ name: "eve" }, "k"))).isNew)
      })
    )
  })

  it("identifies an unfinished create for longer than that", limit, () => {
    const host = new ScriptedInternHost()
    host.script("prepare", makeHostFailure("no"))
    return runInInstance(
      databases[name]()(),
      host,
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(create({}, "k")))._tag, "UpstreamUnavailable")
        const finished = yield* withLaterClock(2 * dayMillis)(create({}, "k"))
        assert.isTrue(finished.isNew)
        assert.lengthOf((yield* list).rows, 1)
      })
    )
  })
})
