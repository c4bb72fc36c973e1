/** An invalid list from a catalog source is reported and leaves the catalog unchanged. */
import { CatalogUnavailable } from "@signalbox/core/upstream"
import { type CatalogSource, parseModelList } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import { CatalogTestServer } from "./CatalogTestServer.ts"

const good = parseModelList([{ id: "acme/good", pricing: {} }])
const better = parseModelList([{ id: "acme/better", pricing: {} }])

/** Invalid entries, and the reported problem. */
const invalidEntries: ReadonlyArray<readonly [name: string, entry: object, problem: string]> = [
  ["half a surrogate pair in an id", { id: "acme/\uD800" }, "the id is not well-formed"],
  [
    "half a surrogate pair in a canonical slug",
    { id: "acme/x", canonical_slug: "acme/\uDC00" },
    'model "acme/x": card.canonical_slug is not well-formed'
  ],
  [
    "an empty canonical slug",
    { id: "acme/x", canonical_slug: "" },
    'model "acme/x": card.canonical_slug is empty'
  ],
  ["a price that is none", { id: "acme/x", pricing: { prompt: "much" } }, "card.pricing"]
]

/** Returns one list after the other, repeating the last; `read` resolves as each is read. */
const makeCatalogSource = (
  lists: ReadonlyArray<Effect.Effect<typeof good>>,
  refreshMillis?: number
) => {
  const readings = lists.map(() => Promise.withResolvers<void>())
  let index = 0
  const of: CatalogSource = {
    name: "the list",
    ...(refreshMillis === undefined ? undefined : { refreshMillis }),
    load: Effect.suspend(() => {
      const now = Math.min(index++, lists.length - 1)
      readings[now]?.resolve()
      return lists[now] ?? Effect.succeed(good)
    })
  }
  return { of, read: readings.map(({ promise }) => promise) }
}

const makeModelList = (entry: object) =>
  Effect.sync(() => parseModelList([{ pricing: {}, ...entry }]))

test.each(invalidEntries)(
  "%s is reported, and the previous catalog is still served",
  async (_, entry, problem) => {
    const { of } = makeCatalogSource([
      Effect.succeed(good),
      makeModelList(entry),
      Effect.succeed(better)
    ])
    await using server = await CatalogTestServer.start({ models: of })
    const refused: unknown = await server.instance.refresh().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RangeError)
    expect(String(refused)).toContain(problem)
    expect(await server.listIds("/models")).toEqual(["acme/good"])
    const { catalog } = await server.instance.health()
    expect(catalog.failure?.problem).toContain(problem)
    await server.instance.refresh()
    expect(await server.listIds("/models")).toEqual(["acme/better"])
    expect((await server.instance.health()).catalog).not.toHaveProperty("failure")
  }
)

test.each(invalidEntries)("%s does not stop further refreshes", async (_, entry) => {
  const { of, read } = makeCatalogSource(
    [Effect.succeed(good), makeModelList(entry), makeModelList(entry), Effect.succeed(better)],
    1
  )
  await using server = await CatalogTestServer.start({ models: of })
  await Promise.all(read)
  // Refreshes once more after the periodic refresh.
  await server.instance.refresh()
  expect(await server.listIds("/models")).toEqual(["acme/better"])
})

/** Comparing it with the models before throws. */
const untypedList = Effect.sync(() => [
  {
    ...good[0]!,
    get name(): string {
      throw new Error("a trap")
    }
  }
])

test("a list that fails outside validation is rejected and logged", async () => {
  const { of } = makeCatalogSource([Effect.succeed(good), untypedList, Effect.succeed(better)])
  await using server = await CatalogTestServer.start({ models: of })
  const refused: unknown = await server.instance.refresh().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(RangeError)
  expect(String(refused)).toContain("the log says how")
  expect(await server.listIds("/models")).toEqual(["acme/good"])
  await server.instance.refresh()
  expect(await server.listIds("/models")).toEqual(["acme/better"])
})

test("a list that fails outside validation does not stop refreshes, and the health report shows it", async () => {
  const { of, read } = makeCatalogSource([Effect.succeed(good), untypedList, Effect.never], 1)
  await using server = await CatalogTestServer.start({ models: of })
  await Promise.all(read)
  expect(await server.listIds("/models")).toEqual(["acme/good"])
  expect((await server.instance.health()).catalog.failure?.problem).toContain("the log says how")
})

test("an invalid last good copy is ignored, and the failure of the source is reported", async () => {
  const gone = Effect.fail(new CatalogUnavailable({ source: "the list", problem: "it is gone" }))
  for (const copy of [[null], [{ id: "acme/\uD800", endpoints: [] }], "no list", undefined]) {
    const made: unknown = await CatalogTestServer.start({
      models: { name: "the list", load: gone },
      lastGood: { read: Effect.succeed(copy), write: () => Effect.void }
    }).catch((error: unknown) => error)
    expect(made).toBeInstanceOf(RangeError)
    expect(String(made)).toContain("the list: it is gone")
  }
})
