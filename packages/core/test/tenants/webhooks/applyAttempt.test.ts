import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { defaults } from "../../../src/instance/Settings.ts"
import { AccountId } from "../../../src/values/ids/Ids.ts"
import {
  type Delivery,
  deliveryErrors,
  maxStoredAttempts
} from "../../../src/tenants/webhooks/Delivery.ts"
import {
  applyAttempt,
  type AttemptOutcome,
  isHealthy
} from "../../../src/tenants/webhooks/deliveryRetries.ts"

const pending: Delivery = {
  id: "job-1-completed",
  account: AccountId.make("acme"),
  workspace: "lab",
  type: "video.generation.completed",
  url: "https://hooks.example.com/",
  isWorkspaceUrl: false,
  body: "{}",
  createdAt: 0,
  state: "pending",
  version: 1,
  failures: 0,
  nextAttemptAt: 0,
  attempts: []
}

const makeAnswer = (status: number, rest: Partial<AttemptOutcome> = {}): AttemptOutcome => ({
  at: 1_000,
  durationMillis: 500,
  status,
  ...rest
})

const after = (outcome: AttemptOutcome, { failures = 0, random = 0.5 } = {}): Delivery =>
  applyAttempt({ ...pending, failures }, outcome, random, defaults)

const waitAfter = (
  outcome: AttemptOutcome,
  from?: { failures?: number; random?: number }
): number => (after(outcome, from).nextAttemptAt ?? Number.NaN) - 1_500

const waitAsked = (retryAfterMillis: number): number =>
  waitAfter(makeAnswer(503, { retryAfterMillis }))

const anyOutcome: fc.Arbitrary<AttemptOutcome> = fc
  .record(
    {
      at: fc.integer({ min: 0, max: 2e12 }),
      durationMillis: fc.integer({ min: 0, max: 15_000 }),
      status: fc.integer({ min: 100, max: 599 }),
      error: fc.constantFrom(...deliveryErrors),
      retryAfterMillis: fc.double({ min: 0, max: 1e15, noNaN: true })
    },
    { requiredKeys: ["at", "durationMillis"] }
  )
  .map(({ error, status, ...rest }) =>
    status === undefined ? { error: error ?? "timeout", ...rest } : { status, ...rest }
  )

const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true })

describe("applyAttempt", () => {
  it.each([200, 201, 202, 204, 299])("counts %s as delivered", (status) => {
    assert.deepStrictEqual(
      { ...after(makeAnswer(status)), attempts: [] },
      {
        ...pendingWithout("nextAttemptAt"),
        state: "delivered",
        version: 2,
        endedAt: 1_500
      }
    )
  })

  it.each([100, 199, 300, 301, 302, 304, 307, 308, 400, 401, 404, 408, 409, 422, 500, 503, 529])(
    "retries after %s",
    (status) => {
      const { failures, state } = after(makeAnswer(status))
      assert.deepStrictEqual([state, failures], ["pending", 1])
      assert.strictEqual(waitAfter(makeAnswer(status)), 5_000)
    }
  )

  it("ends after 410", () => {
    const { endedAt, nextAttemptAt, state } = after(makeAnswer(410, { retryAfterMillis: 1 }))
    assert.deepStrictEqual([state, endedAt, nextAttemptAt], ["disabled", 1_500, undefined])
  })

  it.each(["unsafe_address", "workspace_deleted"] as const)("fails for good on %s", (error) => {
    assert.strictEqual(after({ at: 0, durationMillis: 0, error }).state, "failed")
  })

  it.each(["not_public", "unresolved", "unreachable", "timeout", "secret_unreadable"] as const)(
    "retries after %s, which may be temporary",
    (error) => {
      assert.strictEqual(after({ at: 0, durationMillis: 0, error }).state, "pending")
    }
  )

  it.each([429, 502, 504])("pauses a receiver that answers %s for a minute", (status) => {
    assert.strictEqual(waitAfter(makeAnswer(status)), 60_000)
    assert.strictEqual(waitAfter(makeAnswer(status), { failures: 1 }), 300_000)
    assert.isFalse(isHealthy(makeAnswer(status)))
    assert.isTrue(isHealthy(makeAnswer(500)))
  })

  it("respects Retry-After up to a day, and never retries before its schedule", () => {
    assert.strictEqual(waitAsked(120_000), 120_000)
    assert.strictEqual(waitAsked(1), 5_000)
    assert.strictEqual(waitAsked(1e12), 86_400_000)
  })

  it("has the ten attempts of the schedule, over 75.6 hours", () => {
    let delivery = pending
    const waits: Array<number> = []
    while (delivery.state === "pending") {
      const at = delivery.nextAttemptAt ?? 0
      delivery = applyAttempt(delivery, { at, durationMillis: 0, status: 500 }, 0.5, defaults)
      if (delivery.nextAttemptAt !== undefined) waits.push((delivery.nextAttemptAt - at) / 1_000)
    }
    assert.deepStrictEqual(waits, [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400])
    assert.strictEqual(delivery.attempts.length, 10)
    assert.deepStrictEqual([delivery.state, delivery.endedAt], ["failed", 272_105_000])
  })

  it("always ends, for any answers of receivers, and waits at least four fifths of the schedule", () => {
    fc.assert(
      fc.property(
        fc.array(anyOutcome, { minLength: 10, maxLength: 10 }),
        random,
        (outcomes, random) => {
          let delivery = pending
          for (const [index, outcome] of outcomes.entries()) {
            if (delivery.state !== "pending") break
            delivery = applyAttempt(delivery, outcome, random, defaults)
            assert.strictEqual(delivery.version, index + 2)
            assert.strictEqual(delivery.attempts.length, index + 1)
            const { endedAt, failures, nextAttemptAt, state } = delivery
            assert.strictEqual(state === "pending", nextAttemptAt !== undefined)
            assert.strictEqual(state === "pending", endedAt === undefined)
            if (nextAttemptAt === undefined) continue
            const wait = nextAttemptAt - outcome.at - outcome.durationMillis
            const stated = defaults.webhookRetryMillis[failures - 1] ?? Number.NaN
            assert.isAtLeast(wait, stated * 0.8 - 1)
            assert.isAtMost(wait, Math.max(stated * 1.2 + 1, 86_400_000))
          }
          assert.notStrictEqual(delivery.state, "pending")
        }
      )
    )
  })

  it("keeps the latest attempts of a delivery that is sent again and again", () => {
    const attempts = Array.from({ length: maxStoredAttempts }, (_, at) => ({
      at,
      durationMillis: 0
    }))
    const kept = applyAttempt({ ...pending, attempts }, makeAnswer(200), 0, defaults).attempts
    assert.strictEqual(kept.length, maxStoredAttempts)
    assert.deepStrictEqual(kept.at(0), { at: 1, durationMillis: 0 })
    assert.deepStrictEqual(kept.at(-1), { at: 1_000, durationMillis: 500, status: 200 })
  })
})

const pendingWithout = (key: keyof Delivery) =>
  Object.fromEntries(Object.entries(pending).filter(([name]) => name !== key))
