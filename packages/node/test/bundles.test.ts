/** What `make` says about bundles that could not hold. */
import type { Options } from "@signalbox/core"
import { memoryStores } from "@signalbox/core/stores"
import type { Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Scope from "effect/Scope"
import { expect, test } from "vitest"
import { Signalbox } from "../src/index.ts"

const upstream: Upstream = {
  slug: "eager",
  name: "Eager",
  decisions: {
    decide: () => Effect.die("no decision expected"),
    estimateWorstCase: () => ({ inputTokens: 0, outputTokens: 0 })
  }
}
const options: Options = {
  upstreams: [upstream],
  models: [{ id: "acme/judge", endpoints: [{ provider: "eager", price: {} }] }]
}

/** The options of an application without types. */
const toUntyped = (value: unknown): never => value as never

test.each([
  ["no object", { starter: 20 }, "bundles.starter must be an object such as { budget"],
  ["a name with spaces", { "my bundle": {} }, 'bundles: "my bundle" is no name'],
  [
    "a misspelt field",
    { starter: { bugdet: {} } },
    "bundles.starter: bugdet is no field of a bundle; did you mean budget?"
  ],
  [
    "a misspelt interval",
    { starter: { budget: { montly: 20 } } },
    "bundles.starter.budget: montly is no field of the budget of a bundle; did you mean monthly?"
  ],
  [
    "a misspelt restriction",
    { starter: { guardrail: { enforce_zrd: true } } },
    "bundles.starter.guardrail: enforce_zrd is no field of the guardrail of a bundle; did you mean enforce_zdr?"
  ],
  ["a budget of nothing", { starter: { budget: { daily: 0 } } }, "bundles.starter: budget.daily"],
  [
    "a day that may cost more than the month",
    { starter: { budget: { daily: 20, monthly: 20 } } },
    "bundles.starter.budget.daily must be less than that of a longer interval"
  ],
  [
    "a limit of users without its interval",
    { starter: { guardrail: { limit_usd: 5 } } },
    "bundles.starter.guardrail.reset_interval must be given together with limit_usd"
  ],
  [
    "a misspelt model",
    { starter: { models: ["acme/jugde"] } },
    "bundles.starter.models.0: acme/jugde is no model of this catalog; did you mean acme/judge?"
  ],
  [
    "a misspelt author",
    { starter: { models: ["acme/judge", "amce/*"] } },
    "bundles.starter.models.1: amce/* is no model of this catalog; did you mean acme/*?"
  ]
])("make refuses a bundle with %s", async (_, bundles, problem) => {
  const making = Signalbox.make({ ...options, bundles: toUntyped(bundles) })
  await expect(making).rejects.toThrow(RangeError)
  await expect(making).rejects.toThrow(problem)
})

test("make accepts models of an author, and their base slugs", async () => {
  const bundles = { free: {}, pro: { models: ["acme/*", "ACME/judge"] } }
  const instance = await Signalbox.make({ ...options, bundles })
  const { data } = await instance.customers.create({ slug: "initech", bundle: "pro" })
  expect(data.bundle).toBe("pro")
  await instance.close()
})

test("make refuses to lose a bundle that a customer has", async () => {
  const scope = Scope.makeUnsafe()
  const stores = await Effect.runPromise(Layer.buildWithScope(memoryStores, scope))
  const first = await Signalbox.make({ ...options, stores, bundles: { starter: {} } })
  await first.customers.create({ slug: "acme", bundle: "starter" })
  await first.close()
  await expect(Signalbox.make({ ...options, stores, bundles: { startr: {} } })).rejects.toThrow(
    'bundles: customers have the bundle "starter", which is not there; did you mean startr? Move them'
  )
  await expect(Signalbox.make({ ...options, stores })).rejects.toThrow('have the bundle "starter"')
})

test("a bundle that has changed in code holds for its customers from the next start", async () => {
  const scope = Scope.makeUnsafe()
  const stores = await Effect.runPromise(Layer.buildWithScope(memoryStores, scope))
  const first = await Signalbox.make({
    ...options,
    stores,
    bundles: { starter: { budget: { monthly: 20 } } }
  })
  await first.customers.create({ slug: "acme", bundle: "starter" })
  await first.close()
  const second = await Signalbox.make({
    ...options,
    stores,
    bundles: { starter: { budget: { monthly: 30, daily: 3 } } }
  })
  const { data } = await second.limits.list()
  expect(data.map(({ interval, limit, name }) => ({ interval, limit, name }))).toEqual([
    { interval: "monthly", limit: 30, name: "acme" },
    { interval: "daily", limit: 3, name: "acme" }
  ])
  await second.close()
})
