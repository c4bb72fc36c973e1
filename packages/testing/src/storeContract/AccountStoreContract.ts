/** What every `AccountStore` must do. */
import { type Account, AccountStore } from "@signalbox/core"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fresh.ts"
import { runOn } from "./runOn.ts"

/**
 * Declares the tests in a vitest file: `AccountStoreContract("postgres", layerWith)`. Accounts come
 * from outside the port, so `layerWith` makes a store that knows the given ones.
 */
export const AccountStoreContract = (
  implementation: string,
  layerWith: (accounts: ReadonlyArray<Account>) => Layer.Layer<AccountStore, unknown>
): void => {
  const restricted: Account = {
    id: fresh.account(),
    only: ["one", "two/eu"],
    ignore: ["__proto__"],
    zdr: true,
    dataCollection: "deny"
  }
  const free: Account = { id: fresh.account() }
  const run = runOn(layerWith([restricted, free]))

  describe(`AccountStore: ${implementation}`, () => {
    it("finds each account with its restrictions, and without those it does not have", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AccountStore
          assert.deepStrictEqual(yield* store.find(restricted.id), restricted)
          assert.deepStrictEqual(yield* store.find(free.id), free)
        })
      ))

    it("answers an unknown account with one that has no restrictions", () =>
      run(
        Effect.gen(function* () {
          const store = yield* AccountStore
          const id = fresh.account()
          assert.deepStrictEqual(yield* store.find(id), { id })
        })
      ))
  })
}
