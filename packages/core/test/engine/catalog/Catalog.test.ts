import { assert, describe, it } from "@effect/vitest"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { TestClock } from "effect/testing"
import { Catalog, type CatalogInput } from "../../../src/engine/catalog/Catalog.ts"
import { type CatalogError, CatalogUnavailable } from "../../../src/engine/catalog/CatalogErrors.ts"
import type {
  LastGoodStore,
  CatalogSource
} from "../../../src/engine/catalog/source/CatalogSource.ts"
import type { ModelConfig } from "../../../src/engine/catalog/model/Model.ts"
import * as Settings from "../../../src/instance/Settings.ts"

const model = (id: string, rest: Partial<ModelConfig> = {}): ModelConfig => ({
  id,
  endpoints: [{ provider: "one", price: {} }],
  ...rest
})

/** A scripted catalog source that counts its reads. */
class Scripted {
  models: ReadonlyArray<ModelConfig> | CatalogUnavailable | "hangs" | "broken"
  readings = 0
  constructor(models: Scripted["models"]) {
    this.models = models
  }
  readonly source = (refreshMillis?: number): CatalogSource => ({
    name: "the list",
    ...(refreshMillis === undefined ? undefined : { refreshMillis }),
    load: Effect.suspend(() => {
      this.readings++
      if (this.models === "hangs") return Effect.never
      if (this.models === "broken") return Effect.die("a bug")
      return this.models instanceof CatalogUnavailable
        ? Effect.fail(this.models)
        : Effect.succeed(this.models)
    })
  })
}

const gone = new CatalogUnavailable({ source: "the list", problem: "connection refused" })

class Copy {
  kept: unknown
  isBroken = false
  constructor(kept?: unknown) {
    this.kept = kept
  }
  readonly copy: LastGoodStore = {
    read: Effect.suspend(() => (this.isBroken ? Effect.fail(gone) : Effect.succeed(this.kept))),
    write: (models) =>
      Effect.suspend(() => {
        if (this.isBroken) return Effect.fail(gone)
        // Stores JSON, like a file.
        this.kept = JSON.parse(JSON.stringify(models))
        return Effect.void
      })
  }
}

const upstreams = [{ slug: "one", name: "One" }]

const noNetwork = Layer.succeed(
  HttpClient.HttpClient,
  HttpClient.make(() => Effect.die("no network"))
)

const makeCatalog = (input: Partial<CatalogInput>) =>
  Effect.map(
    Layer.build(
      Catalog.layer({ upstreams, models: [model("a/b")], ...input }).pipe(
        Layer.provide(noNetwork),
        Layer.provide(Settings.layer({}))
      )
    ),
    (context) => Context.get(context, Catalog)
  )

const listIds = ({ current }: Catalog["Service"]): ReadonlyArray<string> =>
  current().models.map(({ id }) => id)

const getProblem = <A>(effect: Effect.Effect<A, CatalogError>) =>
  Effect.map(Effect.flip(effect), ({ problem }) => problem)

describe("a catalog", () => {
  it.effect("reads its source repeatedly, with jitter", () =>
    Effect.gen(function* () {
      const list = new Scripted([model("a/b")])
      const catalog = yield* makeCatalog({ models: list.source(60_000) })
      assert.strictEqual(list.readings, 1)
      list.models = [model("a/b"), model("a/c")]
      yield* TestClock.adjust(47_999)
      assert.strictEqual(list.readings, 1)
      yield* TestClock.adjust(24_001)
      assert.strictEqual(list.readings, 2)
      assert.deepStrictEqual(listIds(catalog), ["a/b", "a/c"])
      yield* TestClock.adjust(600_000)
      // The interval is between 48 and 72 seconds.
      assert.isAtLeast(list.readings, 2 + 8)
      assert.isAtMost(list.readings, 2 + 13)
    })
  )

  it.effect(
    "keeps its models when a refresh fails, reports why, and clears the failure on success",
    () =>
      Effect.gen(function* () {
        const list = new Scripted([model("a/b")])
        const catalog = yield* makeCatalog({ models: list.source(60_000) })
        const { readAt, version } = catalog.status()
        list.models = gone
        yield* TestClock.adjust(72_000)
        assert.deepStrictEqual(listIds(catalog), ["a/b"])
        const { failure } = catalog.status()
        assert(failure !== undefined)
        assert.strictEqual(failure.problem, "connection refused")
        assert.isAtLeast(failure.at, 48_000)
        assert.deepStrictEqual(catalog.status(), { source: "the list", version, readAt, failure })

        list.models = [model("a/b")]
        yield* catalog.refresh
        assert.isUndefined(catalog.status().failure)
        assert.strictEqual(catalog.status().version, version)
        assert.isAbove(catalog.status().readAt, readAt)
      })
  )

  it.effect("skips an invalid model of its source, serves the others, and reports it", () =>
    Effect.gen(function* () {
      const bad = model("a/d", { endpoints: [{ provider: "nobody", price: {} }] })
      const problem = 'model "a/d" names the provider "nobody", but no upstream has that slug'
      const list = new Scripted([model("a/b"), bad])
      const catalog = yield* makeCatalog({ models: list.source() })
      assert.deepStrictEqual(listIds(catalog), ["a/b"])
      assert.deepStrictEqual(catalog.status().skipped, {
        count: 1,
        entries: [{ model: "a/d", problem }]
      })
      list.models = [model("a/c"), bad, model("a/e"), model("a/c")]
      yield* catalog.refresh
      assert.deepStrictEqual(listIds(catalog), ["a/c", "a/e"])
      assert.deepStrictEqual(catalog.status().skipped?.entries, [
        { model: "a/d", problem },
        { model: "a/c", problem: 'two models are called "a/c"' }
      ])
      list.models = [model("a/c")]
      yield* catalog.refresh
      assert.isUndefined(catalog.status().skipped)
    })
  )

  it.effect("refuses a list of which no model is valid", () =>
    Effect.gen(function* () {
      const list = new Scripted([model("a/b")])
      const catalog = yield* makeCatalog({ models: list.source() })
      const before = catalog.current()
      list.models = [model("a/d", { endpoints: [{ provider: "nobody", price: {} }] })]
      const problem = 'model "a/d" names the provider "nobody", but no upstream has that slug'
      assert.strictEqual(yield* getProblem(catalog.refresh), problem)
      assert.strictEqual(catalog.current(), before)
      assert.strictEqual(catalog.status().failure?.problem, problem)
    })
  )

  it.effect("names few of many skipped entries, each shortened", () =>
    Effect.gen(function* () {
      const bad = Array.from({ length: 50 }, (_, index) => model(`${index}${"x".repeat(1_000)}`))
      const catalog = yield* makeCatalog({ models: new Scripted([model("a/b"), ...bad]).source() })
      const { skipped } = catalog.status()
      assert(skipped !== undefined)
      assert.strictEqual(skipped.count, 50)
      assert.lengthOf(skipped.entries, 20)
      assert.isBelow(JSON.stringify(skipped).length, 20_000)
    })
  )

  it.effect("refuses an overlay that makes a model of the source invalid", () =>
    Effect.gen(function* () {
      const catalog = yield* makeCatalog({
        models: new Scripted([model("a/b"), model("a/c")]).source()
      })
      const overlay = { "a/b": { endpoints: [{ provider: "nobody", price: {} }] } }
      assert.include(yield* getProblem(catalog.replace({ overlay })), '"nobody"')
      assert.deepStrictEqual(listIds(catalog), ["a/b", "a/c"])
    })
  )

  it.effect("keeps its models when a source lists none, unless the source says allowEmpty", () =>
    Effect.gen(function* () {
      const list = new Scripted([model("a/b")])
      const keeper = new Copy()
      const catalog = yield* makeCatalog({ models: list.source(60_000), lastGood: keeper.copy })
      const { kept } = keeper
      list.models = []
      yield* TestClock.adjust(72_000)
      assert.deepStrictEqual(listIds(catalog), ["a/b"])
      assert.deepStrictEqual(keeper.kept, kept)
      assert.match(
        catalog.status().failure?.problem ?? "",
        /^it lists no models, and listed 1 before/
      )

      const empty = { ...list.source(), allowEmpty: true }
      yield* catalog.replace({ models: empty })
      assert.deepStrictEqual(listIds(catalog), [])
      assert.deepInclude(keeper.kept, { models: [] })
      // What the code of the host says needs no permission.
      yield* catalog.replace({ models: [model("a/c")] })
      assert.include(
        yield* getProblem(catalog.replace({ models: list.source() })),
        "it lists no models"
      )
      yield* catalog.replace({ models: [] })
      assert.deepStrictEqual(listIds(catalog), [])
    })
  )

  it.effect("refuses a list of too many models", () =>
    Effect.gen(function* () {
      const list = new Scripted([model("a/b")])
      const catalog = yield* Effect.map(
        Layer.build(
          Catalog.layer({ upstreams, models: list.source() }).pipe(
            Layer.provide(noNetwork),
            Layer.provide(Settings.layer({ maxCatalogModels: 2 }))
          )
        ),
        (context) => Context.get(context, Catalog)
      )
      list.models = [model("a/b"), model("a/c"), model("a/d")]
      assert.include(yield* getProblem(catalog.refresh), "more than 2 models")
      assert.deepStrictEqual(listIds(catalog), ["a/b"])
    })
  )

  it.effect("survives a source that hangs or throws", () =>
    Effect.gen(function* () {
      const list = new Scripted([model("a/b")])
      const catalog = yield* makeCatalog({ models: list.source(60_000) })
      list.models = "hangs"
      yield* TestClock.adjust(72_000 + 60_000)
      assert.strictEqual(catalog.status().failure?.problem, "it took longer than 60000 ms")
      list.models = "broken"
      yield* TestClock.adjust(72_000)
      assert.strictEqual(catalog.status().failure?.problem, "it broke; the log says how")
      list.models = [model("a/c")]
      yield* TestClock.adjust(72_000)
      assert.deepStrictEqual(listIds(catalog), ["a/c"])
    })
  )

  it.effect("changes its version exactly when its content changes", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(1_000)
      const list = new Scripted([model("a/b")])
      const catalog = yield* makeCatalog({ models: list.source() })
      const versions = [catalog.current().version]
      const refresh = Effect.map(catalog.refresh, ({ version }) => void versions.push(version))
      yield* refresh
      list.models = [model("a/b", { distillable: true })]
      yield* refresh
      list.models = [model("a/b", { distillable: true })]
      yield* refresh
      yield* TestClock.adjust(5_000)
      list.models = [model("a/b")]
      yield* refresh
      assert.deepStrictEqual(versions, [1_000, 1_000, 1_001, 1_001, 6_000])
    })
  )

  it.effect("is replaced as a whole, while requests keep the snapshot they hold", () =>
    Effect.gen(function* () {
      const catalog = yield* makeCatalog({})
      const before = catalog.current()
      const after = yield* catalog.replace({
        upstreams: [{ slug: "two", name: "Two" }],
        models: [model("a/c", { endpoints: [{ provider: "two", price: {} }] })]
      })
      assert.strictEqual(catalog.current(), after)
      assert.isAbove(after.version, before.version)
      assert.isDefined(before.resolve("a/b"))
      assert.strictEqual(before.upstreams.get("one")?.name, "One")
      assert.isUndefined(after.resolve("a/b"))
      assert.strictEqual(after.upstreams.get("two")?.name, "Two")
    })
  )

  it.effect("is unchanged after an invalid replacement", () =>
    Effect.gen(function* () {
      const catalog = yield* makeCatalog({})
      const before = catalog.current()
      const problem = yield* getProblem(catalog.replace({ upstreams: [] }))
      assert.strictEqual(
        problem,
        'model "a/b" names the provider "one", but no upstream has that slug'
      )
      assert.strictEqual(catalog.current(), before)
      // The replacement leaves nothing behind.
      assert.strictEqual((yield* catalog.replace({ overlay: {} })).upstreams.size, 1)
    })
  )

  it.effect("reads a new source at its own interval, and stops reading the old one", () =>
    Effect.gen(function* () {
      const [old, young] = [new Scripted([model("a/b")]), new Scripted([model("a/c")])]
      const catalog = yield* makeCatalog({ models: old.source(60_000) })
      yield* catalog.replace({ models: young.source(600_000) })
      assert.deepStrictEqual([old.readings, young.readings], [1, 1])
      yield* TestClock.adjust(720_000)
      assert.deepStrictEqual([old.readings, young.readings], [1, 2])
      yield* catalog.replace({ models: [model("a/d")] })
      yield* TestClock.adjust(7_200_000)
      assert.deepStrictEqual([old.readings, young.readings], [1, 2])
      assert.strictEqual(catalog.status().source, "values in code")
    })
  )

  it.effect(
    "is replaced without waiting for a hanging source, which it keeps reading after a rejected replacement",
    () =>
      Effect.gen(function* () {
        const list = new Scripted([model("a/b")])
        const catalog = yield* makeCatalog({ models: list.source(60_000) })
        list.models = "hangs"
        yield* TestClock.adjust(72_000)
        assert.strictEqual(list.readings, 2)
        const replaced = yield* catalog.replace({ models: [model("a/c")] })
        assert.isDefined(replaced.resolve("a/c"))

        const other = new Scripted([model("a/d")])
        yield* catalog.replace({ models: other.source(60_000) })
        yield* getProblem(catalog.replace({ upstreams: [] }))
        yield* TestClock.adjust(72_000)
        assert.strictEqual(other.readings, 2)
      })
  )

  it.effect("is replaced in part while its source is unavailable, and keeps reporting that", () =>
    Effect.gen(function* () {
      const list = new Scripted([model("a/b")])
      const catalog = yield* makeCatalog({ models: list.source(60_000) })
      list.models = gone
      yield* TestClock.adjust(72_000)
      const { failure, readAt } = catalog.status()
      assert.isDefined(failure)
      yield* catalog.replace({ overlay: { "a/b": { distillable: true } } })
      assert.isTrue(catalog.current().models[0]?.distillable)
      assert.deepInclude(catalog.status(), { failure, readAt })
      const { readings } = list
      yield* TestClock.adjust(72_000)
      assert.isAbove(list.readings, readings)
    })
  )

  it.effect.each([
    ["is interrupted", () => Effect.interrupt],
    [
      "returns values that cannot be compared",
      () => {
        let deep: unknown = "the end"
        for (let level = 0; level < 100_000; level++) deep = [deep]
        return Effect.succeed([{ ...model("a/b"), card: { deep } as object }])
      }
    ],
    [
      "returns values whose getters throw",
      () =>
        Effect.succeed([
          {
            ...model("a/b"),
            get name(): string {
              throw new Error("a trap")
            }
          }
        ])
    ]
  ] as ReadonlyArray<[string, () => CatalogSource["load"]]>)(
    "reads a source that %s again, and reports the failure until then",
    ([, load]) =>
      Effect.gen(function* () {
        const list = new Scripted([model("a/b")])
        let isOdd = false
        const source = list.source(60_000)
        const catalog = yield* makeCatalog({
          models: { ...source, load: Effect.suspend(() => (isOdd ? load() : source.load)) }
        })
        isOdd = true
        yield* TestClock.adjust(72_000)
        assert.isDefined(catalog.status().failure)
        assert.deepStrictEqual(listIds(catalog), ["a/b"])
        isOdd = false
        list.models = [model("a/c")]
        yield* TestClock.adjust(72_000)
        assert.deepStrictEqual(listIds(catalog), ["a/c"])
        assert.isUndefined(catalog.status().failure)
      })
  )

  it.effect.each([0, -5, Number.NaN, Infinity])(
    "rejects a refresh interval of %d ms",
    (refreshMillis) =>
      Effect.gen(function* () {
        const source = new Scripted([model("a/b")]).source(refreshMillis)
        assert.deepStrictEqual(
          yield* Effect.exit(makeCatalog({ models: source })),
          Exit.die(
            new RangeError(
              "the list: refreshMillis must be a number of milliseconds above 0; leave it out for never"
            )
          )
        )
      })
  )

  it.effect("gives every endpoint the data policy of its model's overlay", () =>
    Effect.gen(function* () {
      const catalog = yield* makeCatalog({
        overlay: { "a/b": { region: "eu", zdr: true, data: { collects: false } } }
      })
      assert.deepInclude(catalog.current().models[0]?.endpoints[0], {
        region: "eu",
        zdr: true,
        data: { collects: false, trains: true, retains: true }
      })
      // A misspelt field promises nothing.
      const misspelt = JSON.parse(`{"a/b":{"regoin":"eu"}}`) as CatalogInput["overlay"]
      assert.strictEqual(
        yield* getProblem(catalog.replace({ overlay: misspelt! })),
        'the overlay of "a/b": regoin is no field of an overlay; did you mean region?'
      )
    })
  )

  it.effect("applies an overlay to each model that it names, and ignores unknown ones", () =>
    Effect.gen(function* () {
      const catalog = yield* makeCatalog({
        models: [model("a/b", { card: { description: "As listed.", context_length: 10 } })],
        overlay: {
          "a/b": { distillable: true, categories: ["legal"], card: { context_length: 20 } },
          "x/y": { distillable: true },
          ["__proto__"]: { hidden: true }
        }
      })
      const [only, ...others] = catalog.current().models
      assert.deepStrictEqual(others, [])
      assert.isTrue(only!.distillable)
      assert.isFalse(only!.hidden)
      assert.deepStrictEqual(only!.categories, ["legal"])
      assert.strictEqual(only!.card.description, "As listed.")
      assert.strictEqual(only!.card.context_length, 20)
    })
  )
})

describe("the last good copy", () => {
  it.effect("is served when the first read of the source lists no models", () =>
    Effect.gen(function* () {
      const kept = { readAt: 1, models: [model("a/b")] }
      const keeper = new Copy(kept)
      const catalog = yield* makeCatalog({
        models: new Scripted([]).source(),
        lastGood: keeper.copy
      })
      assert.deepStrictEqual(listIds(catalog), ["a/b"])
      assert.match(catalog.status().failure?.problem ?? "", /^it lists no models/)
      assert.deepStrictEqual(keeper.kept, kept)
    })
  )

  it.effect("contains accepted models, but no rejected ones", () =>
    Effect.gen(function* () {
      const list = new Scripted([model("a/b")])
      const keeper = new Copy()
      const catalog = yield* makeCatalog({ models: list.source(), lastGood: keeper.copy })
      assert.deepStrictEqual(keeper.kept, { readAt: 0, models: [model("a/b")] })
      list.models = [model("a/c", { endpoints: [] })]
      yield* Effect.exit(catalog.refresh)
      assert.deepStrictEqual(keeper.kept, { readAt: 0, models: [model("a/b")] })
      list.models = [model("a/d")]
      yield* catalog.refresh
      assert.deepStrictEqual(keeper.kept, { readAt: 0, models: [model("a/d")] })
    })
  )

  it.effect("replaces a source that is unavailable at the start, and reports it", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(5_000)
      const list = new Scripted(gone)
      const catalog = yield* makeCatalog({
        models: list.source(60_000),
        lastGood: new Copy({ readAt: 1_000, models: [model("a/b")] }).copy
      })
      assert.deepStrictEqual(listIds(catalog), ["a/b"])
      // The age of the models is the age of the copy; the failure has its own time.
      assert.deepInclude(catalog.status(), {
        readAt: 1_000,
        failure: { at: 5_000, problem: "connection refused" }
      })
      list.models = [model("a/c")]
      yield* TestClock.adjust(72_000)
      assert.deepStrictEqual(listIds(catalog), ["a/c"])
      assert.isUndefined(catalog.status().failure)
    })
  )

  it.effect.each([
    ["there is none", new Copy()],
    ["it has another format", new Copy([model("a/b")])],
    ["it has no date", new Copy({ models: [model("a/b")] })],
    ["it has invalid models", new Copy({ readAt: 1, models: [{ id: "a/b" }] })],
    ["it has no models", new Copy({ readAt: 1, models: [null] })],
    [
      "it names a removed upstream",
      new Copy({ readAt: 1, models: [model("a/b", { endpoints: [{ provider: "x", price: {} }] })] })
    ]
  ] as const)("fails the start with the error of the source when %s", ([, { copy }]) =>
    Effect.gen(function* () {
      const exit = yield* Effect.exit(
        makeCatalog({ models: new Scripted(gone).source(), lastGood: copy })
      )
      assert.deepStrictEqual(exit, Exit.die(new RangeError("the list: connection refused")))
    })
  )

  it.effect("stops nothing when it cannot be written", () =>
    Effect.gen(function* () {
      const keeper = new Copy()
      keeper.isBroken = true
      const list = new Scripted([model("a/b")])
      const catalog = yield* makeCatalog({ models: list.source(), lastGood: keeper.copy })
      list.models = [model("a/c")]
      yield* catalog.refresh
      assert.deepStrictEqual(listIds(catalog), ["a/c"])
      assert.isUndefined(catalog.status().failure)
    })
  )

  it.effect("is written at the next refresh after a failed write, even without changes", () =>
    Effect.gen(function* () {
      const keeper = new Copy()
      keeper.isBroken = true
      const catalog = yield* makeCatalog({
        models: new Scripted([model("a/b")]).source(),
        lastGood: keeper.copy
      })
      assert.isUndefined(keeper.kept)
      keeper.isBroken = false
      yield* catalog.refresh
      assert.deepStrictEqual(keeper.kept, { readAt: 0, models: [model("a/b")] })
    })
  )

  const hanging: LastGoodStore = { read: Effect.never, write: () => Effect.never }
  const breaking: LastGoodStore = {
    read: Effect.die("a bug"),
    write: () => Effect.die("a bug")
  }

  it.effect.each([
    ["hangs", hanging],
    ["breaks", breaking]
  ] as const)("that %s prevents no start, refresh or replacement", ([, lastGood]) =>
    Effect.gen(function* () {
      const list = new Scripted([model("a/b")])
      const making = yield* Effect.forkChild(makeCatalog({ models: list.source(60_000), lastGood }))
      yield* TestClock.adjust(60_000)
      const catalog = yield* Fiber.join(making)
      assert.deepStrictEqual(listIds(catalog), ["a/b"])
      list.models = [model("a/c")]
      yield* TestClock.adjust(72_000)
      assert.deepStrictEqual(listIds(catalog), ["a/c"])
      const readings = list.readings
      yield* TestClock.adjust(72_000 + 60_000)
      assert.isAbove(list.readings, readings)
      const replacing = yield* Effect.forkChild(catalog.replace({ overlay: {} }))
      yield* TestClock.adjust(60_000)
      assert.isDefined((yield* Fiber.join(replacing)).resolve("a/c"))
    })
  )

  it.effect.each([
    ["hangs", hanging],
    ["breaks", breaking]
  ] as const)("that %s reports why an instance without its source does not start", ([, lastGood]) =>
    Effect.gen(function* () {
      const making = yield* Effect.forkChild(
        Effect.exit(makeCatalog({ models: new Scripted(gone).source(), lastGood }))
      )
      yield* TestClock.adjust(60_000)
      assert.deepStrictEqual(
        yield* Fiber.join(making),
        Exit.die(new RangeError("the list: connection refused"))
      )
    })
  )
})
