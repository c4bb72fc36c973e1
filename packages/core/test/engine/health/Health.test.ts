import { assert, describe, it } from "@effect/vitest"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Health } from "../../../src/engine/health/Health.ts"
import type { Outcome } from "../../../src/engine/health/Outcome.ts"
import * as Settings from "../../../src/instance/Settings.ts"

const record = (endpoint: string, result: Outcome["result"]) =>
  Effect.gen(function* () {
    const health = yield* Health
    const at = yield* Clock.currentTimeMillis
    health.record({ endpoint, startedAt: at, at, result, latencyMillis: 0 })
  })

const outages = Effect.map(
  Effect.flatMap(Health, ({ reportAll }) => reportAll),
  ({ endpoints }) => Object.keys(endpoints).filter((id) => endpoints[id]?.outage !== undefined)
)

const snapshot = (...endpoints: ReadonlyArray<string>) =>
  Effect.map(Health, (health) => health.snapshot(endpoints))
const claim = (endpoint: string) => Effect.map(Health, (health) => health.claim(endpoint))
const reportOn = (endpoint: string) =>
  Effect.map(snapshot(endpoint), ({ endpoints }) => endpoints[endpoint]!)
const getBreaker = (endpoint: string) => Effect.map(reportOn(endpoint), ({ breaker }) => breaker)
const times = (count: number, effect: Effect.Effect<void, never, Health>) =>
  Effect.forEach(Array.from({ length: count }), () => effect, { discard: true })
const withSettings = (settings: Partial<Settings.SettingsShape>) =>
  Effect.provide(Health.layer.pipe(Layer.provide(Settings.layer(settings))))

describe("Health", () => {
  it.effect("reports an endpoint whose first attempts ended after it was looked at", () =>
    Effect.gen(function* () {
      const health = yield* Health
      health.begin("a")
      assert.strictEqual((yield* reportOn("a")).samples, 0)
      yield* record("a", "success")
      health.end("a")
      const { endpoints } = yield* health.reportAll
      assert.strictEqual(endpoints["a"]?.samples, 1)
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("lists the endpoints with attempts under way, and those out of service", () =>
    Effect.gen(function* () {
      const health = yield* Health
      yield* times(20, record("a", "failure"))
      yield* record("b", "success")
      assert.deepStrictEqual(health.listBusy(), ["a"])
      health.begin("b")
      assert.deepStrictEqual(health.listBusy().toSorted(), ["a", "b"])
      health.end("b")
      assert.deepStrictEqual(health.listBusy(), ["a"])
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("lists the endpoints whose attempts of the last seconds failed by half", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* outages, [])
      yield* record("a", "failure")
      yield* record("b", "success")
      yield* record("b", "failure")
      yield* record("c", "success")
      yield* record("c", "success")
      yield* record("c", "failure")
      assert.deepStrictEqual(yield* outages, ["a", "b"])
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("forgets an outage after the window, and detects the next one", () =>
    Effect.gen(function* () {
      yield* record("a", "failure")
      yield* TestClock.adjust(29_999)
      assert.deepStrictEqual(yield* outages, ["a"])
      yield* TestClock.adjust(1_001)
      assert.deepStrictEqual(yield* outages, [])
      assert.deepStrictEqual(yield* outages, [])
      yield* record("a", "failure")
      assert.deepStrictEqual(yield* outages, ["a"])
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("restores an endpoint that answers again", () =>
    Effect.gen(function* () {
      yield* record("a", "failure")
      yield* record("a", "success")
      assert.deepStrictEqual(yield* outages, ["a"])
      yield* record("a", "success")
      assert.deepStrictEqual(yield* outages, [])
      yield* record("a", "failure")
      assert.deepStrictEqual(yield* outages, ["a"])
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("returns immutable snapshots", () =>
    Effect.gen(function* () {
      const { snapshot } = yield* Health
      yield* record("a", "failure")
      const before = snapshot(["a", "b"])
      yield* record("b", "failure")
      yield* TestClock.adjust(60_000)
      snapshot(["a", "b"])
      assert.deepStrictEqual(Object.keys(before.endpoints), ["a"])
      assert.deepStrictEqual(before.endpoints["a"]?.outage, { failures: 1, of: 1 })
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("uses the window of the settings", () =>
    Effect.gen(function* () {
      yield* record("a", "failure")
      yield* TestClock.adjust(5_000)
      assert.deepStrictEqual(yield* outages, ["a"])
      yield* TestClock.adjust(1_000)
      assert.deepStrictEqual(yield* outages, [])
    }).pipe(
      Effect.provide(
        Health.layer.pipe(Layer.provide(Settings.layer({ outageWindowMillis: 5_000 })))
      )
    )
  )

  it.effect("reports the requested endpoints that were tried, and the time", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust(5_000)
      yield* record("a@one", "success")
      yield* record("a@two", "failure")
      yield* record("a@four", "ignored")
      const some = yield* snapshot("a@one", "a@three", "a@four")
      assert.strictEqual(some.at, 5_000)
      assert.deepStrictEqual(Object.keys(some.endpoints), ["a@one"])
      const { reportAll } = yield* Health
      assert.deepStrictEqual(Object.keys((yield* reportAll).endpoints), ["a@one", "a@two"])
      assert.deepStrictEqual(JSON.parse(JSON.stringify(yield* reportAll)), yield* reportAll)
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("returns the same report until something changes", () =>
    Effect.gen(function* () {
      yield* record("a@one", "success")
      yield* record("a@two", "success")
      const before = yield* snapshot("a@one", "a@two")
      yield* TestClock.adjust(500)
      yield* record("a@two", "failure")
      const after = yield* snapshot("a@one", "a@two")
      assert.strictEqual(after.endpoints["a@one"], before.endpoints["a@one"])
      assert.notStrictEqual(after.endpoints["a@two"], before.endpoints["a@two"])
      // An outage shows at once, measurements within a second.
      assert.deepStrictEqual(after.endpoints["a@two"]?.outage, { failures: 1, of: 2 })
      assert.deepStrictEqual(after.endpoints["a@two"]?.errors, {})
      // Operators see the current state.
      const { reportAll } = yield* Health
      assert.deepStrictEqual((yield* reportAll).endpoints["a@two"]?.errors, { failure: 1 })
      yield* TestClock.adjust(500)
      assert.deepStrictEqual((yield* reportOn("a@two")).errors, { failure: 1 })
      assert.isUndefined(before.endpoints["a@two"]?.outage)
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("returns the same report after a success of a healthy endpoint, for a second", () =>
    Effect.gen(function* () {
      yield* record("a", "success")
      const before = yield* reportOn("a")
      yield* record("a", "success")
      assert.strictEqual(yield* reportOn("a"), before)
      yield* TestClock.adjust(1_000)
      assert.strictEqual((yield* reportOn("a")).samples, 2)
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("never returns a report that is more than a second old", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust(900)
      yield* record("a@one", "success")
      assert.strictEqual((yield* reportOn("a@one")).samples, 1)
      yield* TestClock.adjust(300)
      yield* record("a@one", "success")
      yield* reportOn("a@one")
      yield* TestClock.adjust(700)
      assert.strictEqual((yield* reportOn("a@one")).samples, 2)
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("admits one probe through an open breaker, and restores traffic step by step", () =>
    Effect.gen(function* () {
      assert.isTrue(yield* claim("a@one"))
      yield* times(10, record("a@one", "failure"))
      assert.strictEqual((yield* getBreaker("a@one")).state, "open")
      assert.isFalse(yield* claim("a@one"))
      yield* TestClock.adjust(15_000)
      const claims = yield* Effect.all(
        Array.from({ length: 100 }, () => claim("a@one")),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(
        claims.filter((granted) => granted),
        [true]
      )
      yield* record("a@one", "success")
      assert.deepStrictEqual(yield* getBreaker("a@one"), {
        state: "ramping",
        since: 15_000,
        share: 0.1
      })
      for (const share of [0.115, 0.13]) {
        yield* TestClock.adjust(500)
        const ramping = yield* getBreaker("a@one")
        assert(ramping.state === "ramping")
        assert.closeTo(ramping.share, share, 1e-9)
      }
      assert.isTrue(yield* claim("a@one"))
      yield* TestClock.adjust(29_000)
      assert.deepStrictEqual(yield* getBreaker("a@one"), { state: "closed" })
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("sees a backoff end to the millisecond, also between two snapshots", () =>
    Effect.gen(function* () {
      const health = yield* Health
      health.record({
        endpoint: "a@one",
        startedAt: 0,
        at: 0,
        latencyMillis: 0,
        result: "rate_limited",
        retryAfterMillis: 1_234
      })
      assert.deepStrictEqual(yield* getBreaker("a@one"), {
        state: "backing_off",
        since: 0,
        cause: "rate limited, asked to wait 1.234 s",
        until: 1_234
      })
      yield* TestClock.adjust(1_233)
      assert.strictEqual((yield* getBreaker("a@one")).state, "backing_off")
      assert.isFalse(yield* claim("a@one"))
      yield* TestClock.adjust(1)
      assert.deepStrictEqual(yield* getBreaker("a@one"), { state: "closed" })
      assert.isTrue(yield* claim("a@one"))
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("sees an outage end on time with a window of any length", () =>
    Effect.gen(function* () {
      yield* TestClock.adjust(100)
      yield* record("a@one", "failure")
      yield* TestClock.adjust(5_300)
      assert.isDefined((yield* reportOn("a@one")).outage)
      yield* TestClock.adjust(1_099)
      assert.isDefined((yield* reportOn("a@one")).outage)
      yield* TestClock.adjust(1)
      assert.isUndefined((yield* reportOn("a@one")).outage)
    }).pipe(withSettings({ outageWindowMillis: 5_500 }))
  )

  it.effect("reports first events and attempts under way before an attempt ends", () =>
    Effect.gen(function* () {
      const health = yield* Health
      const current = (id: string) => health.snapshot([id], true).endpoints[id]
      health.begin("a@one")
      health.begin("a@one")
      assert.strictEqual(current("a@one")?.inFlight, 2)
      assert.isUndefined(current("a@one")?.latency)
      yield* TestClock.adjust(300)
      const first = { endpoint: "a@one", startedAt: 0, result: "first_event" as const }
      health.record({ ...first, at: 300, latencyMillis: 300 })
      const begun = current("a@one")
      assert(begun !== undefined)
      assert.strictEqual(begun.recentMillis, 300)
      assert.strictEqual(begun.samples, 0)
      assert.isEmpty(begun.uptime)
      yield* TestClock.adjust(1_000)
      assert.closeTo((yield* reportOn("a@one")).latency?.p95 ?? 0, 300, 30)
      health.end("a@one")
      health.record({ ...first, result: "success", at: 1_300, totalMillis: 1_300 })
      health.end("a@one")
      // The end of a stream has no latency of its own.
      health.record({ ...first, result: "success", at: 1_300, totalMillis: 1_300 })
      yield* TestClock.adjust(1_000)
      const ended = current("a@one")
      assert.deepStrictEqual([ended?.inFlight ?? 0, ended?.samples], [0, 2])
      assert.strictEqual(ended?.recentMillis, 300)
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("weighs the last attempts most, and forgets them after five minutes", () =>
    Effect.gen(function* () {
      const health = yield* Health
      const add = (latencyMillis: number) =>
        health.record({ endpoint: "a", startedAt: 0, at: 0, result: "first_event", latencyMillis })
      const recent = () => health.snapshot(["a"], true).endpoints["a"]?.recentMillis
      add(100)
      add(100)
      assert.closeTo(recent() ?? 0, 100, 0.001)
      add(10_000)
      assert.closeTo(recent() ?? 0, 100 * 100 ** 0.1, 0.001)
      for (let count = 0; count < 100; count++) add(10_000)
      assert.closeTo(recent() ?? 0, 10_000, 2)
      yield* TestClock.adjust(300_001)
      assert.isUndefined(recent())
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("keeps cached reports while attempts begin and end", () =>
    Effect.gen(function* () {
      const health = yield* Health
      yield* record("a", "success")
      const before = yield* reportOn("a")
      health.begin("a")
      assert.strictEqual(yield* reportOn("a"), before)
      assert.strictEqual(health.snapshot(["a"], true).endpoints["a"]?.inFlight, 1)
      health.end("a")
      assert.strictEqual(health.snapshot(["a"], true).endpoints["a"], before)
      // An attempt that says nothing about its endpoint leaves nothing behind.
      health.begin("b")
      health.end("b")
      yield* record("b", "ignored")
      assert.deepStrictEqual(Object.keys((yield* snapshot("b")).endpoints), [])
      const { reportAll } = yield* Health
      assert.deepStrictEqual(Object.keys((yield* reportAll).endpoints), ["a"])
    }).pipe(Effect.provide(Health.layer))
  )

  it.effect("keeps the configured number of endpoints, the most recently tried ones", () =>
    Effect.gen(function* () {
      for (const endpoint of ["a@1", "a@2", "a@3", "a@4"]) yield* record(endpoint, "success")
      yield* record("a@2", "success")
      assert.isTrue(yield* claim("a@3"))
      // Reading is not trying.
      yield* snapshot("a@4")
      yield* record("a@5", "success")
      yield* record("a@6", "success")
      const { reportAll } = yield* Health
      assert.deepStrictEqual(Object.keys((yield* reportAll).endpoints), [
        "a@2",
        "a@3",
        "a@5",
        "a@6"
      ])
    }).pipe(withSettings({ maxTrackedEndpoints: 4 }))
  )

  it.effect("keeps at most 10,000 endpoints", () =>
    Effect.gen(function* () {
      for (let index = 0; index < 12_000; index++) yield* record(`a@${index}`, "success")
      const { reportAll } = yield* Health
      const kept = Object.keys((yield* reportAll).endpoints)
      assert.lengthOf(kept, 10_000)
      assert.strictEqual(kept[0], "a@2000")
      assert.strictEqual(kept.at(-1), "a@11999")
    }).pipe(Effect.provide(Health.layer))
  )
})
