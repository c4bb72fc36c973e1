import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import fc from "fast-check"
import { Catalog } from "../../src/catalog/Catalog.ts"
import { latestByAlias } from "../../src/catalog/latestByAlias.ts"
import * as Model from "../../src/catalog/Model.ts"
import { splitVariant } from "../../src/catalog/Variant.ts"
import { Upstreams } from "../../src/upstreams/Upstreams.ts"

const endpoints = [{ provider: "one", price: {} }]
const model = (id: string, rest: Partial<Model.ModelConfig> = {}): Model.ModelConfig => ({
  id,
  endpoints,
  ...rest
})

const resolving = (
  models: ReadonlyArray<Model.ModelConfig>,
  slugs: ReadonlyArray<string>
): Effect.Effect<ReadonlyArray<string | undefined>> =>
  Effect.map(Catalog, ({ resolve }) =>
    slugs.map((slug) => {
      const found = resolve(slug)
      return (
        found &&
        (found.variant === undefined ? found.model.id : `${found.model.id} by ${found.variant}`)
      )
    })
  ).pipe(
    Effect.provide(
      Catalog.layer(models).pipe(Layer.provide(Upstreams.layer([{ slug: "one", name: "One" }])))
    )
  )

describe("a slug", () => {
  it.effect("means a listed model, also with a dynamic suffix", () =>
    Effect.gen(function* () {
      const found = yield* resolving(
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
        // Listed under that very name: its suffix is no wish.
        "a/c:nitro"
      ])
    })
  )

  it.effect("means nothing when no such model is listed", () =>
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
      const found = yield* resolving([model("a/b")], strangers)
      assert.deepStrictEqual(
        found,
        strangers.map(() => undefined)
      )
    })
  )

  it.effect("may be an alias: the newest of the author's family, never something unrelated", () =>
    Effect.gen(function* () {
      const found = yield* resolving(
        [
          model("a/old", { family: "big", created: 10 }),
          model("a/new", { family: "big", created: 30 }),
          model("a/twin", { family: "big", created: 30 }),
          model("a/undated", { family: "small" }),
          model("x/other", { family: "big", created: 99 })
        ],
        [
          "~a/big-latest",
          "~a/big-latest:floor",
          "~a/small-latest",
          "~x/big-latest",
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
        undefined,
        undefined
      ])
    })
  )

  it("ends in a variant or in none, and the parts make the whole again", () => {
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
      { numRuns: 1_000 }
    )
  })

  it("of an alias is that of a newest model, whatever the order of the list", () => {
    const listed = fc.uniqueArray(
      fc.record({ name: fc.nat(50), created: fc.option(fc.nat(5), { nil: 0 }) }),
      { minLength: 1, maxLength: 8, selector: ({ name }) => name }
    )
    fc.assert(
      fc.property(listed, (listed) => {
        const models = listed.map(({ created, name }) =>
          Model.make(model(`a/${name}`, { family: "f", created }))
        )
        const latest = latestByAlias(models).get("~a/f-latest")
        assert.strictEqual(latest?.created, Math.max(...listed.map(({ created }) => created)))
        assert.strictEqual(
          latest,
          models.find(({ created }) => created === latest?.created)
        )
      }),
      { numRuns: 1_000 }
    )
  })
})

describe("a model", () => {
  const wrong: ReadonlyArray<[string, Model.ModelConfig]> = [
    ["a name with ~ is an alias", model("~a/b")],
    ["created must be seconds", model("a/b", { created: -1 })],
    [
      "contextLength must be",
      model("a/b", { endpoints: [{ ...endpoints[0]!, contextLength: 0 }] })
    ],
    [
      "maxPromptTokens must be",
      model("a/b", { endpoints: [{ ...endpoints[0]!, maxPromptTokens: 1.5 }] })
    ],
    [
      "maxCompletionTokens must be",
      model("a/b", { endpoints: [{ ...endpoints[0]!, maxCompletionTokens: Number.NaN }] })
    ]
  ]
  it.each(wrong)("is refused when %s", (words, config) => {
    assert.throws(() => Model.make(config), RangeError, words)
  })

  it("has endpoints of the tier their variant names, unless told otherwise", () => {
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

  it("has endpoints without retention when that is promised, or when nothing is retained", () => {
    const data = { collects: false, trains: false, retains: true }
    const promises = [
      {},
      { data },
      { data: { ...data, retains: false } },
      { data, zdr: true },
      { data: { ...data, retains: false }, zdr: false }
    ].map((rest) => Model.make(model("a/b", { endpoints: [{ ...endpoints[0]!, ...rest }] })))
    assert.deepStrictEqual(
      promises.map(({ endpoints }) => endpoints[0]?.zdr),
      [false, false, true, true, false]
    )
  })

  it("carries every part of a price, exactly", () => {
    const price = { prompt: "0.1", input_cache_read: "0.00000000000000000000001", web_search: "2" }
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
