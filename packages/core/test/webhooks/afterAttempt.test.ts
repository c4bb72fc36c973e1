import fc from "fast-check"
import { assert, describe, it } from "vitest"
import { defaults } from "../../src/Settings.ts"
import { AccountId } from "../../src/values/AccountId.ts"
import { afterAttempt, isWell, type Outcome } from "../../src/webhooks/afterAttempt.ts"
import { type Delivery, deliveryErrors, mostAttempts } from "../../src/webhooks/Delivery.ts"

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
  turn: 1,
  failures: 0,
  nextAttemptAt: 0,
  attempts: []
}

const answered = (status: number, rest: Partial<Outcome> = {}): Outcome => ({
  at: 1_000,
  durationMillis: 500,
  status,
  ...rest
})

const after = (outcome: Outcome, { failures = 0, random = 0.5 } = {}): Delivery =>
  afterAttempt({ ...pending, failures }, outcome, random, defaults)

const waitAfter = (outcome: Outcome, from?: { failures?: number; random?: number }): number =>
  (after(outcome, from).nextAttemptAt ?? Number.NaN) - 1_500

const waitAsked = (retryAfterMillis: number): number =>
  waitAfter(answered(503, { retryAfterMillis }))

const anyOutcome: fc.Arbitrary<Outcome> = fc
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

describe("afterAttempt", () => {
  it.each([200, 201, 202, 204, 299])("takes %s for delivered", (status) => {
    assert.deepStrictEqual(
      { ...after(answered(status)), attempts: [] },
      {
        ...pendingWithout("nextAttemptAt"),
        state: "delivered",
        turn: 2,
        endedAt: 1_500
      }
    )
  })

  it.each([100, 199, 300, 301, 302, 304, 307, 308, 400, 401, 404, 408, 409, 422, 500, 503, 529])(
    "tries again after %s",
    (status) => {
      const { failures, state } = after(answered(status))
      assert.deepStrictEqual([state, failures], ["pending", 1])
      assert.strictEqual(waitAfter(answered(status)), 5_000)
    }
  )

  it("sends nothing more after 410", () => {
    const { endedAt, nextAttemptAt, state } = after(answered(410, { retryAfterMillis: 1 }))
    assert.deepStrictEqual([state, endedAt, nextAttemptAt], ["disabled", 1_500, undefined])
  })

  it.each(["unsafe_address", "workspace_deleted"] as const)("gives up on %s", (error) => {
    assert.strictEqual(after({ at: 0, durationMillis: 0, error }).state, "failed")
  })

  it.each(["not_public", "unresolved", "unreachable", "timeout", "secret_unreadable"] as const)(
    "tries again after %s, which may pass",
    (error) => {
      assert.strictEqual(after({ at: 0, durationMillis: 0, error }).state, "pending")
    }
  )

  it.each([429, 502, 504])("leaves a receiver alone for a minute that answers %s", (status) => {
    assert.strictEqual(waitAfter(answered(status)), 60_000)
    assert.strictEqual(waitAfter(answered(status), { failures: 1 }), 300_000)
    assert.isFalse(isWell(answered(status)))
    assert.isTrue(isWell(answered(500)))
  })

  it("comes back when it is told to, within a day, and never before its own schedule has it", () => {
    assert.strictEqual(waitAsked(120_000), 120_000)
    assert.strictEqual(waitAsked(1), 5_000)
    assert.strictEqual(waitAsked(1e12), 86_400_000)
  })

  it("has the ten attempts of the schedule, over 75.6 hours", () => {
    let delivery = pending
    const waits: Array<number> = []
    while (delivery.state === "pending") {
      const at = delivery.nextAttemptAt ?? 0
      delivery = afterAttempt(delivery, { at, durationMillis: 0, status: 500 }, 0.5, defaults)
      if (delivery.nextAttemptAt !== undefined) waits.push((delivery.nextAttemptAt - at) / 1_000)
    }
    assert.deepStrictEqual(waits, [5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400])
    assert.strictEqual(delivery.attempts.length, 10)
    assert.deepStrictEqual([delivery.state, delivery.endedAt], ["failed", 272_105_000])
  })

  it("always ends, however receivers answer, and waits no less than four fifths of the schedule", () => {
    fc.assert(
      fc.property(
        fc.array(anyOutcome, { minLength: 10, maxLength: 10 }),
        random,
        (outcomes, random) => {
          let delivery = pending
          for (const [index, outcome] of outcomes.entries()) {
            if (delivery.state !== "pending") break
            delivery = afterAttempt(delivery, outcome, random, defaults)
            assert.strictEqual(delivery.turn, index + 2)
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

  it("keeps the latest attempts when somebody sends again and again", () => {
    const attempts = Array.from({ length: mostAttempts }, (_, at) => ({ at, durationMillis: 0 }))
    const kept = afterAttempt({ ...pending, attempts }, answered(200), 0, defaults).attempts
    assert.strictEqual(kept.length, mostAttempts)
    assert.deepStrictEqual(kept.at(0), { at: 1, durationMillis: 0 })
    assert.deepStrictEqual(kept.at(-1), { at: 1_000, durationMillis: 500, status: 200 })
  })
})

const pendingWithout = (key: keyof Delivery) =>
  Object.fromEntries(Object.entries(pending).filter(([name]) => name !== key))
