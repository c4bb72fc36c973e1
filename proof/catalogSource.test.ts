/** A list from elsewhere that no model can be made of: nothing changes, it is said, and the next one is read. */
import { CatalogUnavailable } from "@signalbox/core"
import { type CatalogSource, fromWire } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { expect, test } from "vitest"
import { CatalogStage } from "./CatalogStage.ts"

const good = fromWire([{ id: "acme/good", pricing: {} }])
const better = fromWire([{ id: "acme/better", pricing: {} }])

/** Wrong, and what is said of it. */
const bad: ReadonlyArray<readonly [name: string, entry: object, problem: string]> = [
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

/** Gives out one list after the other, the last one for ever, and says when each was read. */
const source = (lists: ReadonlyArray<Effect.Effect<typeof good>>, refreshMillis?: number) => {
  const readings = lists.map(() => Promise.withResolvers<void>())
  let place = 0
  const of: CatalogSource = {
    name: "the list",
    ...(refreshMillis === undefined ? undefined : { refreshMillis }),
    load: Effect.suspend(() => {
      const now = Math.min(place++, lists.length - 1)
      readings[now]?.resolve()
      return lists[now] ?? Effect.succeed(good)
    })
  }
  return { of, read: readings.map(({ promise }) => promise) }
}

const listOf = (entry: object) => Effect.sync(() => fromWire([{ pricing: {}, ...entry }]))

test.each(bad)(
  "%s is refused by name, and what was served is served",
  async (_, entry, problem) => {
    const { of } = source([Effect.succeed(good), listOf(entry), Effect.succeed(better)])
    await using stage = await CatalogStage.open({ models: of })
    const refused: unknown = await stage.box.refresh().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(RangeError)
    expect(String(refused)).toContain(problem)
    expect(await stage.idsOf("/models")).toEqual(["acme/good"])
    const { catalog } = await stage.box.health()
    expect(catalog.failure?.problem).toContain(problem)
    await stage.box.refresh()
    expect(await stage.idsOf("/models")).toEqual(["acme/better"])
    expect((await stage.box.health()).catalog).not.toHaveProperty("failure")
  }
)

test.each(bad)("%s does not end the readings", async (_, entry) => {
  const { of, read } = source(
    [Effect.succeed(good), listOf(entry), listOf(entry), Effect.succeed(better)],
    1
  )
  await using stage = await CatalogStage.open({ models: of })
  await Promise.all(read)
  // Reads once more, after the one that came by itself.
  await stage.box.refresh()
  expect(await stage.idsOf("/models")).toEqual(["acme/better"])
})

/** Hosts read their lists from files, where types say nothing. */
const strange = Effect.succeed([null] as unknown as typeof good)

test("what no check has thought of is refused like everything else, and told in the log", async () => {
  const { of } = source([Effect.succeed(good), strange, Effect.succeed(better)])
  await using stage = await CatalogStage.open({ models: of })
  const refused: unknown = await stage.box.refresh().catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(RangeError)
  expect(String(refused)).toContain("the log says how")
  expect(await stage.idsOf("/models")).toEqual(["acme/good"])
  await stage.box.refresh()
  expect(await stage.idsOf("/models")).toEqual(["acme/better"])
})

test("what no check has thought of does not end the readings, and health tells of it", async () => {
  const { of, read } = source([Effect.succeed(good), strange, Effect.never], 1)
  await using stage = await CatalogStage.open({ models: of })
  await Promise.all(read)
  expect(await stage.idsOf("/models")).toEqual(["acme/good"])
  expect((await stage.box.health()).catalog.failure?.problem).toContain("the log says how")
})

test("a copy that no catalog can be made of is as good as none: the source's failure is told", async () => {
  const gone = Effect.fail(new CatalogUnavailable({ source: "the list", problem: "it is gone" }))
  for (const copy of [[null], [{ id: "acme/\uD800", endpoints: [] }], "no list", undefined]) {
    const made: unknown = await CatalogStage.open({
      models: { name: "the list", load: gone },
      lastGood: { read: Effect.succeed(copy), write: () => Effect.void }
    }).catch((error: unknown) => error)
    expect(made).toBeInstanceOf(RangeError)
    expect(String(made)).toContain("the list: it is gone")
  }
})
