import { makeConfiguration } from "@signalbox/core/catalog"
import fc from "fast-check"
import { expect, test } from "vitest"
import { findModelMistakes } from "../../src/check/findModelMistakes.ts"
import { findProblem } from "../../src/check/Finding.ts"

const upstreams = [{ slug: "alpha", name: "Alpha" }]

/** Mistakes of an endpoint, by the path at which they are reported, and the fields that make them. */
const endpointMistakes = {
  zrd: { zrd: true },
  contextLength: { contextLength: 0.5 },
  "price.prompt": { price: { prompt: "cheap" } },
  "price.completion": { price: { completion: "1" } },
  "data.colects": { data: { colects: false } },
  provider: { provider: "alhpa" },
  tier: { tier: "turbo" }
}

const modelMistakes = {
  created: { created: -1 },
  "card.pricing.prompt": { card: { pricing: { prompt: "x" } } },
  "card.descripton": { card: { descripton: "" } },
  categories: { categories: ["law"] },
  famly: { famly: "talker" }
}

const pick = <Name extends string>(mistakes: Readonly<Record<Name, object>>) =>
  fc.subarray(Object.keys(mistakes)).map((names) => names.toSorted())

const merge = (parts: ReadonlyArray<object>): object => {
  const all = new Map<string, unknown>()
  for (const [name, value] of parts.flatMap((part) => Object.entries<unknown>({ ...part }))) {
    const before = all.get(name)
    all.set(name, isObject(before) && isObject(value) ? merge([before, value]) : value)
  }
  return Object.fromEntries(all)
}

const isObject = (value: unknown): value is object =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const look = (mistakes: Readonly<Record<string, object>>, names: ReadonlyArray<string>) =>
  names.map((name) => mistakes[name] ?? {})

const model = fc.record({
  own: pick(modelMistakes),
  endpoints: fc.array(pick(endpointMistakes), { maxLength: 2 })
})

const build = (planted: ReadonlyArray<{ own: string[]; endpoints: string[][] }>) =>
  planted.map(({ endpoints, own }, index) =>
    merge([
      { id: `acme/m${index}`, card: { pricing: {} } },
      {
        endpoints: endpoints.map((names, place) =>
          merge([
            { provider: "alpha", variant: `v${place}`, price: {} },
            ...look(endpointMistakes, names)
          ])
        )
      },
      ...look(modelMistakes, own)
    ])
  )

test("every mistake that is planted is found at its place, and no other", () => {
  fc.assert(
    fc.property(fc.array(model, { maxLength: 3 }), (planted) => {
      const expected = planted.flatMap(({ endpoints, own }, index) => [
        ...own.map((name) => `models.${index}.${name}`),
        ...endpoints.flatMap((names, place) =>
          names.map((name) => `models.${index}.endpoints.${place}.${name}`)
        )
      ])
      const found = findModelMistakes(build(planted), upstreams, ["models"])
      expect(found.map(({ path }) => path.join(".")).toSorted()).toEqual(expected.toSorted())
    })
  )
})

test("there are mistakes exactly if an instance would refuse the models", () => {
  const junk = fc.oneof(fc.constant(null), fc.jsonValue({ maxDepth: 2 }))
  const config = fc.record(
    {
      id: fc.constantFrom("a/b", "a/c", "b"),
      endpoints: fc.oneof(
        junk,
        fc.array(
          fc.oneof(
            junk,
            fc.record(
              {
                provider: fc.constantFrom("alpha", "beta"),
                price: fc.oneof(junk, fc.constant({}))
              },
              { requiredKeys: [] }
            )
          ),
          { maxLength: 3 }
        )
      ),
      card: fc.oneof(junk, fc.constant({ pricing: {} })),
      name: junk
    },
    { requiredKeys: [] }
  )
  fc.assert(
    fc.property(fc.array(config, { maxLength: 3 }), (models) => {
      // A caller in plain JavaScript may pass anything.
      const problem = findProblem(() => makeConfiguration(1, upstreams, models as never))
      expect(findModelMistakes(models, upstreams, []).length > 0).toBe(problem !== undefined)
    }),
    { numRuns: 500 }
  )
})
