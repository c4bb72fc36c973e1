/**
 * Runs the test of a store contract on a layer built for it, under a clock that only the test
 * moves.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import * as TestClock from "effect/testing/TestClock"

/**
 * Runs a test on one implementation. The layer is built for each test, with the real clock. The
 * store need not be empty, because every test uses unique names.
 */
export const makeRunTest =
  <Stores>(layer: Layer.Layer<Stores, unknown>) =>
  (test: Effect.Effect<void, unknown, Stores | Scope.Scope>): Promise<void> =>
    Effect.runPromise(
      test.pipe(Effect.scoped, Effect.provide(Layer.merge(layer, TestClock.layer())))
    )
