/** Interns of several boxes on one database: created once, run once, and gone on with after a box has closed. */
import { type InternStatus } from "@signalbox/core/contract"
import { type Services } from "@signalbox/core"
import { Interns } from "@signalbox/core/adapter"
import { type Intern, type Stores } from "@signalbox/core/stores"
import { makeHostFailure, type InternCall, ScriptedInternHost } from "@signalbox/testing"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import { assert, describe, it } from "vitest"
import { postgres, sqlite } from "../src/index.ts"
import { newFile, newSchema } from "./databases.ts"
import { ann, layerInternInstance } from "./internInstance.ts"

const create = (request: Partial<Parameters<Interns["Service"]["create"]>[1]> = {}, key?: string) =>
  Interns.use((interns) => interns.create(ann, { name: "ida", ...request }, key))

const find = (id: string) => Interns.use((interns) => interns.find(ann, id))

const list = Interns.use((interns) => interns.list(ann, undefined, { limit: 500 }))

const untilStatus = (id: string, status: InternStatus) =>
  Effect.repeat(find(id), {
    until: (intern) => intern.status === status && intern.claim === undefined,
    schedule: Schedule.spaced(20)
  })

/** Until it is so; the clock is real, and so are the databases. */
const until = (isSo: () => boolean) =>
  Effect.repeat(Effect.sync(isSo), { until: Boolean, schedule: Schedule.spaced(10) })

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

/** A box that is closed when its test is over, as when its process ends in peace. */
const runInInstance = <A, E>(
  stores: Layer.Layer<Stores, Error>,
  host: ScriptedInternHost,
  test: Effect.Effect<A, E, Services>
): Promise<A> =>
  Effect.runPromise(Effect.provide(test, Layer.fresh(layerInternInstance(stores, host))))

/** The id of a new intern whose box closes while its host is asked for this. */
const provisionUntil = (
  host: ScriptedInternHost,
  stores: Layer.Layer<Stores, Error>,
  asked: InternCall
): Promise<string> =>
  runInInstance(
    stores,
    host,
    Effect.gen(function* () {
      const { intern } = yield* create({ provision: true })
      yield* until(() => host.listCalls().includes(asked))
      return intern.id
    })
  )

const times = (count: number) => Array.from({ length: count }, (_, n) => n)
const atOnce = { concurrency: "unbounded" } as const
const limit = { timeout: 60_000 }

describe("interns of two boxes on one Postgres", () => {
  it("are one where they are asked for at once, and run once", limit, () =>
    Effect.gen(function* () {
      const host = new ScriptedInternHost()
      host.script("prepare", Effect.sleep(200))
      const stores = databases.Postgres()
      // One after the other, as the first one makes the tables.
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

  it("move on once each, whoever is asked", limit, () =>
    Effect.gen(function* () {
      const host = new ScriptedInternHost()
      const stores = databases.Postgres()
      const first = yield* Layer.build(Layer.fresh(layerInternInstance(stores(), host)))
      const second = yield* Layer.build(Layer.fresh(layerInternInstance(stores(), host)))
      const contextOf = (n: number) => (n % 2 === 0 ? first : second)
      const { intern } = yield* Effect.provideContext(create(), first)
      const provisioned = yield* Effect.forEach(
        times(20),
        (n) =>
          Effect.exit(
            Effect.provideContext(
              Interns.use((interns) => interns.provision(ann, intern.id)),
              contextOf(n)
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
            contextOf(n)
          ),
        atOnce
      )
      assert.lengthOf(patches, 20)
      yield* Effect.provideContext(untilStatus(intern.id, "running"), first)
      assert.deepStrictEqual(host.listCalls(), ["prepare", "step 0", "step 1"])
    }).pipe(Effect.scoped, Effect.runPromise)
  )
})

describe.each(["SQLite", "Postgres"] as const)("interns on %s, after a box has closed", (name) => {
  it("are provisioned from the step on that was broken off", limit, async () => {
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

  it("are undone from there on", limit, async () => {
    const host = new ScriptedInternHost()
    host.script("step 1", makeHostFailure("no", true))
    host.script("undo 1", Effect.never)
    const stores = databases[name]()
    const id = await provisionUntil(host, stores(), "undo 1")
    const failed = await runInInstance(stores(), host, untilStatus(id, "failed"))
    assert.strictEqual(failed.lastFailureMessage, "Booting: no")
    assert.deepStrictEqual(host.listCalls().slice(-3), ["undo 1", "undo 1", "undo 0"])
  })

  it(
    "are set up by the same request, and taken down by the box that comes next",
    limit,
    async () => {
      const host = new ScriptedInternHost()
      host.script("prepare", makeHostFailure("no"))
      host.script("destroy", Effect.never)
      const stores = databases[name]()
      const refused = await runInInstance(
        stores(),
        host,
        Effect.flip(create({ provision: true }, "k"))
      )
      assert.strictEqual(refused._tag, "UpstreamUnavailable")
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
    }
  )
})

/** What is asked then is asked so much later; all else goes by the time there is. */
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

const day = 86_400_000

describe.each(["SQLite", "Postgres"] as const)("a key of a create on %s", (name) => {
  it("stands for its request for 24 hours, and for one new request after that", limit, () => {
    const host = new ScriptedInternHost()
    return runInInstance(
      databases[name]()(),
      host,
      Effect.gen(function* () {
        const first = yield* create({}, "k")
        assert.isTrue(first.isNew)
        const within = yield* withLaterClock(day - 60_000)(create({}, "k"))
        assert.deepStrictEqual([within.isNew, within.intern.id], [false, first.intern.id])
        const reused = yield* withLaterClock(day - 60_000)(
          Effect.flip(create({ name: "eve" }, "k"))
        )
        assert.strictEqual(reused._tag, "IdempotencyKeyReused")
        // Of many who come at once after that, all with one request, one makes it.
        const anew = yield* Effect.forEach(
          times(20),
          () => withLaterClock(day)(create({ name: "eve" }, "k")),
          atOnce
        )
        assert.lengthOf(new Set(anew.map(({ intern }) => intern.id)), 1)
        assert.lengthOf(
          anew.filter(({ isNew }) => isNew),
          1
        )
        const { rows } = yield* list
        assert.deepStrictEqual(
          rows.map((row) => row.name),
          ["eve", "ida"]
        )
        // The one it stood for keeps nothing of it.
        assert.isUndefined((yield* find(first.intern.id)).creation.key)
        assert.isFalse((yield* withLaterClock(day)(create({ name: "eve" }, "k"))).isNew)
      })
    )
  })

  it("stands for what is unfinished for longer than that", limit, () => {
    const host = new ScriptedInternHost()
    host.script("prepare", makeHostFailure("no"))
    return runInInstance(
      databases[name]()(),
      host,
      Effect.gen(function* () {
        assert.strictEqual((yield* Effect.flip(create({}, "k")))._tag, "UpstreamUnavailable")
        const finished = yield* withLaterClock(2 * day)(create({}, "k"))
        assert.isTrue(finished.isNew)
        assert.lengthOf((yield* list).rows, 1)
      })
    )
  })
})
