import * as Clock from "effect/Clock"
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import type { ApiKey } from "../../../src/auth/keys/ApiKey.ts"
import { ApiKeyStore } from "../../../src/auth/keys/ApiKeyStore.ts"
import { toKeyLimit } from "../../../src/auth/keys/KeyLimit.ts"
import type { App } from "../../../src/http/server/App.ts"
import type { Drain } from "../../../src/Drain.ts"
import { makeWebHandler } from "../../../src/http/server/makeWebHandler.ts"
import { layer } from "../../../src/layer.ts"
import { Ledger } from "../../../src/ledger/Ledger.ts"
import { OutboundHttp } from "../../../src/outbound/OutboundHttp.ts"
import { SpendLimits } from "../../../src/routing/restrictions/SpendLimits.ts"
import { defaultAccountId } from "../../../src/values/ids/AccountId.ts"
import { KeyHash } from "../../../src/values/ids/KeyHash.ts"
import { make as nano, toUsdNumber } from "../../../src/values/usage/NanoUsd.ts"
import { defaultWorkspaceId } from "../../../src/values/ids/WorkspaceId.ts"
import { fakeDecisionUpstream } from "../../decisions/decisionFixtures.ts"

/** Every request costs a cent, paid here or with a credential of one's own. */
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
      sealing: { current: "k", keys: { k: "a sealing key that nobody is going to guess" } },
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
      new Request(`http://box.invalid/api/${path}`, {
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

/** What the ledger would still let the key spend; undefined: as much as it likes. */
const isAllowed = Effect.fnUntraced(function* (hash: KeyHash) {
  const store = yield* ApiKeyStore
  const key = (yield* store.find(defaultAccountId, hash))!
  const limit = toKeyLimit(key)
  if (limit === undefined) return undefined
  const limits = yield* SpendLimits.use((spendLimits) =>
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
  const ledger = yield* Ledger
  const { available } = yield* Effect.flip(
    ledger.reserve(defaultAccountId, limits, nano(1_000_000_000_000n))
  )
  return toUsdNumber(available)
})

/** What three ways of asking say is left; they must say the same. */
const readRemaining = Effect.fnUntraced(function* (hash: KeyHash, secret: string) {
  const mine = yield* send(secret, "GET", "v1/key")
  const one = yield* send("sk-manager", "GET", `v1/keys/${hash}`)
  const all = yield* send("sk-manager", "GET", "v1/keys")
  const listed = Array.from<ApiKey>(all.body.data).find((key) => key.hash === hash)
  const told = [mine.body.data, one.body.data, listed].map((key) => Object(key).limit_remaining)
  assert.deepStrictEqual(told, [told[0], told[0], told[0]])
  assert.deepStrictEqual(told[0], (yield* isAllowed(hash)) ?? null)
  return told[0] as number | null
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

/** When the period began that `now` is in. */
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

/** Looks before each step; how often. */
const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const made = yield* send("sk-manager", "POST", "v1/keys", { name: "limited" })
  const secret = String(made.body.key)
  const hash = KeyHash.make(made.body.data.hash)
  const stated = {
    limit: null as number | null,
    limit_reset: null as (typeof resets)[number],
    include_byok_in_limit: false
  }
  const spends: Array<{ readonly at: number; readonly of: (typeof providers)[number] }> = []

  for (const each of steps) {
    const now = yield* Clock.currentTimeMillis
    const since = startOfWindow(stated.limit_reset, now)
    const cents = spends.filter(
      ({ at, of }) => at >= since && (of === "shared" || stated.include_byok_in_limit)
    ).length
    const expected =
      stated.limit === null ? null : Math.max(0, Math.round(stated.limit * 100) - cents) / 100
    assert.strictEqual(yield* readRemaining(hash, secret), expected)
    switch (each.do) {
      case "ask": {
        const counts = each.of === "shared" || stated.include_byok_in_limit
        const { status } = yield* sendWith(secret, each.of)
        assert.strictEqual(status, counts && expected === 0 ? 402 : 200)
        if (status === 200) spends.push({ at: now, of: each.of })
        break
      }
      case "change":
        Object.assign(stated, each.to)
        yield* send("sk-manager", "PATCH", `v1/keys/${hash}`, each.to)
        break
      case "wait":
        yield* TestClock.adjust(each.millis)
    }
  }
  return steps.length
})

/** A Thursday; set before the box begins, which would make up for what it does now and then. */
const evening = Layer.effectDiscard(TestClock.setTime(Date.parse("2026-10-29T21:00:00.000Z"))).pipe(
  Layer.provideMerge(TestClock.layer())
)

const runInInstance = <A, E>(test: Effect.Effect<A, E, Layer.Success<typeof instanceLayer>>) =>
  Effect.runPromise(test.pipe(Effect.provide(Layer.provideMerge(instanceLayer, evening))))

const changeStep = (to: Extract<Step, { do: "change" }>["to"]): Step => ({ do: "change", to })
const repeatAsk = (of: (typeof providers)[number], count: number): ReadonlyArray<Step> =>
  Array.from({ length: count }, () => ({ do: "ask", of }))

describe("what is left of a limit is what may still be spent", () => {
  it.each([
    [
      "set after the day's spending",
      [
        ...repeatAsk("shared", 5),
        changeStep({ limit: 0.04, limit_reset: "daily" }),
        ...repeatAsk("shared", 1)
      ]
    ],
    [
      "raised and lowered",
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
      "lifted and set again",
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
      "reset at midnight in UTC",
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
      "to count own credentials, and not to",
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
      "by another period",
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
    const looks = await runInInstance(play([...steps, { do: "wait", millis: 1 }]))
    assert.strictEqual(looks, steps.length + 1)
  })

  it("whatever is spent and changed in whatever order", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 16 }), async (steps) => {
        assert.strictEqual(await runInInstance(play(steps)), steps.length)
      }),
      { numRuns: scaleRuns(30) }
    )
    // Each run is a box of its own, and a machine may have others to look after.
  }, 180_000)
})
