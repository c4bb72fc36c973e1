/** Budgets of each value hold exactly for each of them, over all processes on a database. */
import { type CallerConfig, type Options, type Signalbox, SignalboxError } from "@signalbox/core"
import { make } from "@signalbox/core/adapter"
import type { Upstream } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import { postgres, sqlite } from "../../src/index.ts"
import { newFile, newSchema } from "../databases.ts"
import { offlinePlatform } from "../offlinePlatform.ts"

const coin: Upstream = {
  slug: "coin",
  name: "Coin",
  decisions: {
    decide: () =>
      Effect.succeed({
        verdicts: new Map([["heads", { weights: [1, 1] }]]),
        usage: { inputTokens: 1, outputTokens: 1 },
        method: "native"
      }),
    estimateWorstCase: () => ({ inputTokens: 1, outputTokens: 1 })
  }
}

/** A request reserves and costs 0.002 USD. */
const options = {
  upstreams: [coin],
  models: [
    {
      id: "a/coin",
      endpoints: [{ provider: "coin", price: { prompt: "0.001", completion: "0.001" } }]
    }
  ],
  settings: { maxBudgetValues: 2 }
} satisfies Partial<Options>

const manager: CallerConfig = { kind: "management" }

const openDatabases = {
  memory: () => [undefined],
  SQLite: () => [sqlite({ path: newFile() })],
  Postgres: () => {
    const schema = newSchema()
    return [postgres(schema), postgres(schema)]
  }
}

/** One instance for each process. */
const open = async (database: keyof typeof openDatabases) => {
  const instances: Array<Signalbox> = []
  for (const stores of openDatabases[database]()) {
    const given = stores === undefined ? undefined : { stores }
    instances.push(await make({ ...options, ...given }, offlinePlatform))
  }
  const [instance] = instances
  assert(instance !== undefined)
  /** How many of twenty calls at once, over all processes, are served. */
  const countServed = async (changes: { readonly user?: string }, caller: CallerConfig) => {
    const served = await Promise.all(
      Array.from({ length: 20 }, async (_, position) => {
        try {
          await instances[position % instances.length]!.decide(
            {
              model: "a/coin",
              state: "?",
              questions: { heads: { type: "noul", instructions: "Heads?" } },
              ...changes
            },
            { caller }
          )
          return 1
        } catch (error) {
          assert(error instanceof SignalboxError)
          assert.strictEqual(error.status, 402)
          return 0
        }
      })
    )
    return served.reduce<number>((sum, each) => sum + each, 0)
  }
  const close = () => Promise.all(instances.map((each) => each.close()))
  return { instance, countServed, close }
}

const budget = { limit_usd: 0.01, reset_interval: "monthly" } as const
const member: CallerConfig = { kind: "member", user: "caller" }

const toTags = (value: string): Record<string, string> =>
  JSON.parse(JSON.stringify({ key: value }).replace("key", "__proto__"))

describe.each(["memory", "SQLite", "Postgres"] as const)(
  "budgets of each value in %s",
  (database) => {
    it("serve five calls of each external user, and of all those beyond the bound together", async () => {
      const { close, countServed, instance } = await open(database)
      await instance.budgets.create(
        { ...budget, scope: { external_user: "*" } },
        { caller: manager }
      )
      const long = "\\".repeat(256)
      assert.deepStrictEqual(
        await Promise.all([
          countServed({ user: "__proto__" }, member),
          countServed({ user: long }, member)
        ]),
        [5, 5]
      )
      const others = await Promise.all([
        countServed({ user: "others" }, member),
        countServed({ user: "bob" }, member),
        countServed({ user: "eve" }, member)
      ])
      assert.strictEqual(
        others.reduce((sum, each) => sum + each, 0),
        5
      )
      assert.strictEqual(await countServed({}, member), 20)
      const { data } = await instance.limits.list({}, { caller: manager })
      assert.deepStrictEqual(
        data.flatMap(({ kind, name, reserved, settled }) =>
          kind === "budget" ? [{ name, reserved, settled }] : []
        ),
        [{ name: "external user *, other values", reserved: 0, settled: 0.01 }]
      )
      await close()
    })

    it("give no more than two values at once a counter of their own", async () => {
      const { close, countServed, instance } = await open(database)
      await instance.budgets.create(
        { ...budget, scope: { external_user: "*" } },
        { caller: manager }
      )
      const users = ["a", "b", "c", "d", "e"]
      const served = await Promise.all(users.map((user) => countServed({ user }, member)))
      assert.strictEqual(
        served.reduce((sum, each) => sum + each, 0),
        15
      )
      assert.lengthOf(
        served.filter((each) => each > 5),
        0
      )
      await close()
    })

    it("serve five calls of each value of a tag, whatever its key is", async () => {
      const { close, countServed, instance } = await open(database)
      await instance.budgets.create({ ...budget, scope: { tag: toTags("*") } }, { caller: manager })
      const caller = (value: string): CallerConfig => ({ ...member, tags: toTags(value) })
      assert.deepStrictEqual(
        await Promise.all([countServed({}, caller("acme")), countServed({}, caller("__proto__"))]),
        [5, 5]
      )
      assert.strictEqual(await countServed({}, member), 20)
      await close()
    })
  }
)
