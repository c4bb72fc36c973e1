import * as Clock from "effect/Clock"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import type { ApiKey } from "../../../src/tenants/auth/keys/ApiKey.ts"
import { ApiKeyStore } from "../../../src/tenants/auth/keys/ApiKeyStore.ts"
import { toKeyLimit } from "../../../src/tenants/auth/keys/KeyLimit.ts"
import type { App } from "../../../src/api/server/App.ts"
import type { Drain } from "../../../src/instance/Drain.ts"
import { makeWebHandler } from "../../../src/api/server/makeWebHandler.ts"
import { layer } from "../../../src/layer.ts"
import { Ledger } from "../../../src/engine/ledger/Ledger.ts"
import { OutboundHttp } from "../../../src/engine/outbound/OutboundHttp.ts"
import { SpendLimits } from "../../../src/routing/restrictions/SpendLimits.ts"
import { KeyHash, defaultAccountId, defaultWorkspaceId } from "../../../src/values/ids/Ids.ts"
import { make as nano, toUsdNumber } from "../../../src/values/usage/NanoUsd.ts"
import { fakeDecisionUpstream } from "../../domains/decisions/decisionFixtures.ts"

/** Every request costs a cent, on shared capacity or on the account's own credential. */
const price = { prompt: "0", completion: "0", request: "0.01" }
const providers = ["shared", "own"] as const
const instanceLayer = SpendLimits.layer.pipe(
  Layer.provideMerge(
    layer({
      upstreams: providers.map((slug) =>
        fakeDecisionUpstream(slug, () =>
          Effect.succeed({
            verdicts: new Map([["calm", { weights: [3, 1] }]]),
            usage: { inputTokens: 1, outputTokens: 1 },
            method: "native"
          })
        )
      ),
      models: [{ id: "a/b", endpoints: providers.map((provider) => ({ provider, price })) }],
      keys: [{ key: "sk-manager", kind: "management" }],
      sealing: { current: "k", keys: { k: "a sealing key of sufficient length" } },
      credentials: [{ provider: "own", key: "sk-customer" }],
      settings: { jobMaintenanceMillis: 1_000_000_000, videoSweepMillis: 1_000_000_000 }
    })
  ),
  Layer.provide([
    Digest.layerWebCrypto,
    OutboundHttp.layerNone,
    Layer.succeed(
      HttpClient.HttpClient,
      HttpClient.make(() => Effect.die("no network"))
    )
  ])
)

const send = Effect.fnUntraced(function* (
  key: string,
  method: string,
  path: string,
  body?: unknown
) {
  const handle = makeWebHandler(yield* Effect.context<App | Drain>())
  const response = yield* Effect.promise(() =>
    handle(
      new Request(`http://signalbox.invalid/api/${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        ...(body === undefined ? undefined : { body: JSON.stringify(body) })
      })
    )
  )
  const text = yield* Effect.promise(() => response.text())
  return { status: response.status, body: Object(JSON.parse(text)) }
})

const sendWith = (key: string, provider: (typeof providers)[number]) =>
  send(key, "POST", "alpha/decisions", {
    model: "a/b",
    state: "a sunny day",
    questions: { calm: { type: "noul", instructions: "Is it calm?" } },
    provider: { only: [provider] }
  })

/** The limits of the key; undefined if unlimited. */
const findLimits = Effect.fnUntraced(function* (hash: KeyHash) {
  const store = yield* ApiKeyStore
  const key = (yield* store.find(defaultAccountId, hash))!
  const limit = toKeyLimit(key)
  if (limit === undefined) return undefined
  return yield* SpendLimits.use((spendLimits) =>
    spendLimits.listLimits(
      {
        account: defaultAccountId,
        workspace: defaultWorkspaceId,
        kind: "organization",
        keyHash: hash,
        limit
      },
      []
    )
  )
})

/** USD that the ledger still allows the key to spend; undefined if unlimited. */
const findAvailable = Effect.fnUntraced(function* (hash: KeyHash) {
  const limits = yield* findLimits(hash)
  if (limits === undefined) return undefined
  const ledger = yield* Ledger
  const { available } = yield* Effect.flip(
    ledger.reserve(defaultAccountId, limits, nano(1_000_000_000_000n))
  )
  return toUsdNumber(available)
})

/** The remaining limit, which three operations and the ledger must report alike. */
const readRemaining = Effect.fnUntraced(function* (hash: KeyHash, secret: string) {
  const mine = yield* send(secret, "GET", "v1/key")
  const one = yield* send("sk-manager", "GET", `v1/keys/${hash}`)
  const all = yield* send("sk-manager", "GET", "v1/keys")
  const listed = Array.from<ApiKey>(all.body.data).find((key) => key.hash === hash)
  const values = [mine.body.data, one.body.data, listed].map((key) => Object(key).limit_remaining)
  assert.deepStrictEqual(values, [values[0], values[0], values[0]])
  assert.deepStrictEqual(values[0], (yield* findAvailable(hash)) ?? null)
  return values[0] as number | null
})

const resets = [null, "daily", "weekly", "monthly"] as const
const hour = 3_600_000

const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant("ask" as const), of: fc.constantFrom(...providers) })
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("change" as const),
      to: fc.record(
        {
          limit: fc.option(
            fc.nat(8).map((cents) => cents / 100),
            { nil: null }
          ),
          limit_reset: fc.constantFrom(...resets),
          include_byok_in_limit: fc.boolean()
        },
        { requiredKeys: [] }
      )
    })
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("wait" as const),
      millis: fc.integer({ min: 1, max: 60 * hour })
    })
  }
)
type Step = typeof step extends fc.Arbitrary<infer Step> ? Step : never

/** Start of the reset interval that contains `now`. */
const startOfWindow = (reset: (typeof resets)[number], now: number): number => {
  const date = new Date(now)
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()]
  switch (reset) {
    case null:
      return 0
    case "daily":
      return Date.UTC(year, month, day)
    case "weekly":
      return Date.UTC(year, month, day - ((date.getUTCDay() + 6) % 7))
    case "monthly":
      return Date.UTC(year, month)
  }
}

/** Checks the remaining limit before each step, and returns the number of checks. */
const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const made = yield* send("sk-manager", "POST", "v1/keys", { name: "limited" })
  const secret = String(made.body.key)
  const hash = KeyHash.make(made.body.data.hash)
  const configured = {
    limit: null as number | null,
    limit_reset: null as (typeof resets)[number],
    include_byok_in_limit: false
  }
  const spends: Array<{ readonly at: number; readonly of: (typeof providers)[number] }> = []

  for (const each of steps) {
    const now = yield* Clock.currentTimeMillis
    const since = startOfWindow(configured.limit_reset, now)
    const cents = spends.filter(
      ({ at, of }) => at >= since && (of === "shared" || configured.include_byok_in_limit)
    ).length
    const expected =
      configured.limit === null
        ? null
        : Math.max(0, Math.round(configured.limit * 100) - cents) / 100
    assert.strictEqual(yield* readRemaining(hash, secret), expected)
    switch (each.do) {
      case "ask": {
        const counts = each.of === "shared" || configured.include_byok_in_limit
        const { status } = yield* sendWith(secret, each.of)
        assert.strictEqual(status, counts && expected === 0 ? 402 : 200)
        if (status === 200) spends.push({ at: now, of: each.of })
        break
      }
      case "change":
        Object.assign(configured, each.to)
        yield* send("sk-manager", "PATCH", `v1/keys/${hash}`, each.to)
        break
      case "wait":
        yield* TestClock.adjust(each.millis)
    }
  }
  return steps.length
})

/** A Thursday, set before the instance starts, because later its periodic jobs would catch up. */
const evening = Layer.effectDiscard(TestClock.setTime(Date.parse("2026-10-29T21:00:00.000Z"))).pipe(
  Layer.provideMerge(TestClock.layer())
)

const runInInstance = <A, E>(test: Effect.Effect<A, E, Layer.Success<typeof instanceLayer>>) =>
  Effect.runPromise(test.pipe(Effect.provide(Layer.provideMerge(instanceLayer, evening))))

const changeStep = (to: Extract<Step, { do: "change" }>["to"]): Step => ({ do: "change", to })
const repeatAsk = (of: (typeof providers)[number], count: number): ReadonlyArray<Step> =>
  Array.from({ length: count }, () => ({ do: "ask", of }))

describe("the reported remaining limit equals what the ledger allows", () => {
  it.each([
    [
      "for a limit set after spending",
      [
        ...repeatAsk("shared", 5),
        changeStep({ limit: 0.04, limit_reset: "daily" }),
        ...repeatAsk("shared", 1)
      ]
    ],
    [
      "for a limit raised and lowered",
      [
        changeStep({ limit: 0.02 }),
        ...repeatAsk("shared", 3),
        changeStep({ limit: 0.04 }),
        ...repeatAsk("shared", 1),
        changeStep({ limit: 0.01 }),
        ...repeatAsk("shared", 1),
        changeStep({ limit: 0.05 }),
        ...repeatAsk("shared", 3)
      ]
    ],
    [
      "for a limit removed and set again",
      [
        changeStep({ limit: 0.03 }),
        ...repeatAsk("shared", 1),
        changeStep({ limit: null }),
        ...repeatAsk("shared", 1),
        changeStep({ limit: 0.03 }),
        ...repeatAsk("shared", 2)
      ]
    ],
    [
      "for a limit that resets at midnight UTC",
      [
        changeStep({ limit: 0.02, limit_reset: "daily" }),
        ...repeatAsk("shared", 3),
        { do: "wait", millis: 3 * hour - 1 },
        ...repeatAsk("shared", 1),
        { do: "wait", millis: 1 },
        ...repeatAsk("shared", 3)
      ]
    ],
    [
      "with and without counting BYOK spending",
      [
        changeStep({ limit: 0.03, include_byok_in_limit: false }),
        ...repeatAsk("own", 2),
        ...repeatAsk("shared", 1),
        changeStep({ include_byok_in_limit: true }),
        ...repeatAsk("own", 1),
        changeStep({ include_byok_in_limit: false }),
        ...repeatAsk("shared", 3)
      ]
    ],
    [
      "for a changed reset interval",
      [
        changeStep({ limit: 0.03, limit_reset: "daily" }),
        ...repeatAsk("shared", 2),
        { do: "wait", millis: 24 * hour },
        ...repeatAsk("shared", 2),
        changeStep({ limit_reset: "weekly" }),
        ...repeatAsk("shared", 1),
        changeStep({ limit_reset: "daily" }),
        ...repeatAsk("shared", 2)
      ]
    ]
  ] satisfies ReadonlyArray<readonly [string, ReadonlyArray<Step>]>)("%s", async (_, steps) => {
    const checks = await runInInstance(play([...steps, { do: "wait", millis: 1 }]))
    assert.strictEqual(checks, steps.length + 1)
  })

  it("although the record of what was spent is lost, and while a request runs", () =>
    runInInstance(
      Effect.gen(function* () {
        const made = yield* send("sk-manager", "POST", "v1/keys", { name: "limited", limit: 0.1 })
        const hash = KeyHash.make(made.body.data.hash)
        const secret = String(made.body.key)
        const ledger = yield* Ledger
        const limits = (yield* findLimits(hash))!
        const charged = yield* ledger.reserve(defaultAccountId, limits, nano(40_000_000n))
        assert.strictEqual(yield* readRemaining(hash, secret), 0.06)
        yield* charged.settle(nano(30_000_000n))
        assert.strictEqual(yield* readRemaining(hash, secret), 0.07)
      })
    ))

  it("for arbitrary spending and changes in any order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        assert.strictEqual(await runInInstance(play(steps)), steps.length)
      }),
      { numRuns: scaleRuns(30) }
    )
    // Each run builds an instance, which takes long on a busy machine.
  })
})
