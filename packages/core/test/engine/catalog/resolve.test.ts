import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import fc from "fast-check"
import { pickScope, scaleRuns } from "../../../../../vitest.scope.ts"
import * as Configuration from "../../../src/engine/catalog/Configuration.ts"
import { indexLatestByAlias } from "../../../src/engine/catalog/model/indexLatestByAlias.ts"
import * as Model from "../../../src/engine/catalog/model/Model.ts"
import { splitVariant } from "../../../src/engine/catalog/model/Variant.ts"

const endpoints = [{ provider: "one", price: {} }]
const model = (id: string, rest: Partial<Model.ModelConfig> = {}): Model.ModelConfig => ({
  id,
  endpoints,
  ...rest
})

const makeConfiguration = (models: ReadonlyArray<Model.ModelConfig>) =>
  Effect.sync(() => Configuration.make(1, [{ slug: "one", name: "One" }], models))

const resolveAll = (
  models: ReadonlyArray<Model.ModelConfig>,
  slugs: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string | undefined>> =>
  Effect.map(makeConfiguration(models), ({ resolve }) =>
    slugs.map((slug) => {
      const found = resolve(slug)
      return (
        found &&
        (found.variant === undefined ? found.model.id : `${found.model.id} by ${found.variant}`)
      )
    })
  )

const listNames = (names: ReadonlyArray<string>, suffixes: ReadonlyArray<string>) =>
  fc
    .tuple(
      fc.constantFrom(...names),
      fc.array(fc.constantFrom(...suffixes), { maxLength: 2, size: "max" })
    )
    .map(([name, ends]) => [name, ...ends].join(":"))

describe("a slug", () => {
  it.effect("is also an alias of the host, with or without a dynamic suffix", () =>
    Effect.gen(function* () {
      const models = [model("a/b", { aliases: ["fast", "acme/default"] }), model("a/c")]
      assert.deepStrictEqual(yield* resolveAll(models, ["fast", "acme/default", "fast:nitro"]), [
        "a/b",
        "a/b",
        "a/b by nitro"
      ])
      const { resolve } = yield* makeConfiguration(models)
      assert.strictEqual(resolve("fast")?.alias, "fast")
    })
  )

  it.each([
    [["a/c"], /model "a\/b": its alias "a\/c" is a name of a\/c; choose another/],
    [["x", "x"], /its alias "x" is a name of a\/b/],
    [["~a/latest"], /aliases must be a list of names/],
    [["a:free"], /aliases must be a list of names/],
    [[" "], /aliases must be a list of names/]
  ])("is no alias that means something else: %j", (aliases, words) => {
    assert.throws(
      () =>
        Configuration.make(
          1,
          [{ slug: "one", name: "One" }],
          [model("a/b", { aliases }), model("a/c")]
        ),
      words
    )
  })

  it.effect("matches a listed model, with or without a dynamic suffix", () =>
    Effect.gen(function* () {
      const found = yield* resolveAll(
        [model("a/b"), model("a/b:free"), model("a/c:nitro")],
        ["a/b", "a/b:nitro", "a/b:floor", "a/b:exacto", "a/b:free", "a/b:free:floor", "a/c:nitro"]
      )
      assert.deepStrictEqual(found, [
        "a/b",
        "a/b by nitro",
        "a/b by floor",
        "a/b by exacto",
        "a/b:free",
        "a/b:free by floor",
        // Listed under that exact name, so its suffix is part of the slug.
        "a/c:nitro"
      ])
    })
  )

  it.effect("matches nothing when no such model is listed", () =>
    Effect.gen(function* () {
      const strangers = [
        "a/c",
        "a/b:online",
        "a/b:free",
        "a/b:NITRO",
        "a/b:",
        ":nitro",
        "nitro",
        ""
      ]
      const found = yield* resolveAll([model("a/b")], strangers)
      assert.deepStrictEqual(
        found,
        strangers.map(() => undefined)
      )
    })
  )

  it.effect(
    "may be an alias for the newest model of the author's family, never for an unrelated one",
    () =>
      Effect.gen(function* () {
        const found = yield* resolveAll(
          [
            model("a/old", { family: "big", created: 10 }),
            model("a/new", { family: "big", created: 30 }),
            model("a/twin", { family: "big", created: 30 }),
            model("a/undated", { family: "small" }),
            model("x/other", { family: "big", created: 99 }),
            model("a/secret", { family: "big", created: 99, hidden: true }),
            model("a/unseen", { family: "unseen", hidden: true })
          ],
          [
            "~a/big-latest",
            "~a/big-latest:floor",
            "~a/small-latest",
            "~x/big-latest",
            "~a/unseen-latest",
            "a/secret",
            "~a/huge-latest",
            "~a/-latest",
            "a/big-latest"
          ]
        )
        assert.deepStrictEqual(found, [
          "a/new",
          "a/new by floor",
          "a/undated",
          "x/other",
          undefined,
          // Hidden models still exist.
          "a/secret",
          undefined,
          undefined,
          undefined
        ])
      })
  )

  it("resolves like the sequential rules, in any catalog", () => {
    const names = ["a/b", "a/c", "x/b"]
    const catalog = fc.uniqueArray(
      fc.record({
        id: listNames(names, ["free", "nitro", "floor"]),
        family: fc.constantFrom(undefined, "b", "big"),
        created: fc.constantFrom(undefined, 0, 1, 2),
        hidden: fc.boolean()
      }),
      { maxLength: 8, size: "max", selector: ({ id }) => id }
    )
    const aliases = ["~a/b-latest", "~a/big-latest", "~x/big-latest", "~a/c-latest", "~", ""]
    const slug = listNames([...names, ...aliases], ["free", "nitro", "floor", "exacto", "online"])
    let found = 0
    fc.assert(
      fc.property(catalog, slug, (listed, slug) => {
        const exactly = (slug: string) => {
          if (listed.some(({ id }) => id === slug)) return { model: slug }
          const visible = listed.filter(({ hidden }) => !hidden)
          const [newest] = visible
            .filter(({ family, id }) => slug === `~${id.split("/")[0]}/${family}-latest`)
            .toSorted((self, that) => (that.created ?? 0) - (self.created ?? 0))
          return newest && { model: newest.id, alias: slug }
        }
        const [, base, variant] = /^(.*):(nitro|floor|exacto)$/.exec(slug) ?? []
        const suffixed = base === undefined ? undefined : exactly(base)
        const expected = exactly(slug) ?? (suffixed && { ...suffixed, variant })
        const configs = listed.map(({ created, family, hidden, id }) =>
          model(id, {
            hidden,
            ...(created === undefined ? undefined : { created }),
            ...(family === undefined ? undefined : { family })
          })
        )
        const { resolve } = Effect.runSync(makeConfiguration(configs))
        const resolved = resolve(slug)
        assert.deepStrictEqual<unknown>(
          resolved && { ...resolved, model: resolved.model.id },
          expected
        )
        if (resolved !== undefined) found++
      }),
      { numRuns: scaleRuns(2_000) }
    )
    assert.isAbove(found, pickScope({ full: 200, sample: 0 }))
  })

  it("ends in a variant or in none, and its parts form the whole again", () => {
    const slug = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.string({ minLength: 1 }), fc.constantFrom("nitro", "floor", "exacto", "free"))
        .map((parts) => parts.join(":"))
    )
    fc.assert(
      fc.property(slug, (slug) => {
        const parts = splitVariant(slug)
        assert.strictEqual(parts !== undefined, /^[^]+:(nitro|floor|exacto)$/.test(slug))
        if (parts !== undefined) assert.strictEqual(`${parts.base}:${parts.variant}`, slug)
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("of an alias resolves to a newest model, for any order of the list", () => {
    const listed = fc.uniqueArray(
      fc.record({ name: fc.nat(50), created: fc.option(fc.nat(5), { nil: 0 }) }),
      { minLength: 1, maxLength: 8, selector: ({ name }) => name }
    )
    fc.assert(
      fc.property(listed, (listed) => {
        const models = listed.map(({ created, name }) =>
          Model.make(model(`a/${name}`, { family: "f", created }))
        )
        const latest = indexLatestByAlias(models).get("~a/f-latest")
        assert.strictEqual(latest?.created, Math.max(...listed.map(({ created }) => created)))
        assert.strictEqual(
          latest,
          models.find(({ created }) => created === latest?.created)
        )
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})

describe("a model", () => {
  const wrong: ReadonlyArray<[string, Partial<Model.ModelConfig>]> = [
    ["name is empty; leave it out", { name: "" }],
    ["family is empty; leave it out", { family: " " }],
    ['the id has no author; call it author/name, such as "acme/b"', { id: "b" }],
    ["created must be whole seconds since the epoch", { created: -1 }],
    ["created must be whole seconds since the epoch", { created: Number.NaN }],
    ["created must be whole seconds since the epoch", { created: Number.POSITIVE_INFINITY }],
    [
      "created must be seconds since the epoch, these are milliseconds",
      { created: 1_790_000_000_000 }
    ]
  ]
  it.each(wrong)("is rejected: %s", (words, config) => {
    const { id = "a/b", ...rest } = config
    assert.throws(() => Model.make(model(id, rest)), RangeError, `model "${id}": ${words}`)
  })

  it("has endpoints of the tier of its variant by default", () => {
    const tiers = [
      { variant: "flex" },
      { variant: "priority" },
      { variant: "eu" },
      {},
      { variant: "flex", tier: "default" as const },
      { variant: "eu", tier: "priority" as const }
    ].map((rest) => Model.make(model("a/b", { endpoints: [{ ...endpoints[0]!, ...rest }] })))
    assert.deepStrictEqual(
      tiers.map(({ endpoints }) => endpoints[0]?.tier),
      ["flex", "priority", "default", "default", "default", "priority"]
    )
  })

  it("has every part of a price, exactly", () => {
    const price = {
      prompt: "0.001",
      input_cache_read: "0.00000000000000000000001",
      web_search: "2"
    }
    const { endpoints: made } = Model.make(
      model("a/b", { endpoints: [{ provider: "one", price }] })
    )
    assert.deepStrictEqual(Object.keys(made[0]!.price.others), ["input_cache_read", "web_search"])
    assert.strictEqual(made[0]!.price.others.input_cache_read?.scale, 23)
    assert.throws(
      () =>
        Model.make(model("a/b", { endpoints: [{ provider: "one", price: { web_search: "x" } }] })),
      RangeError,
      "price.web_search"
    )
  })
})
