/** How the tests of a ledger let leases age, and how soon a refusal may be looked at again. */
import type * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"

export interface LeaseTime<R = never> {
  /** Moves the clock of leases, and the test clock. */
  readonly pass: (millis: number) => Effect.Effect<void, unknown, R>
  /** How much of a lease a test leaves, in milliseconds, so that it does not expire meanwhile. */
  readonly marginMillis: number
}

/** For ledgers whose leases are on Effect's `Clock`. */
export const testLeaseTime: LeaseTime = { pass: TestClock.adjust, marginMillis: 1 }

/** For so long a store may refuse an amount again, or a larger one, without a look. */
export const awaitFreshRefusals: Effect.Effect<void> = TestClock.adjust(250)
