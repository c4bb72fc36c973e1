/** A test suite for implementations of `SavedViewStore`. */
import { type SavedView, SavedViewStore, type Transaction } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { makeRunTest } from "./makeRunTest.ts"
import { testQuotas } from "./testQuotas.ts"

const makeView = (changes: Partial<SavedView> = {}): SavedView => ({
  id: crypto.randomUUID(),
  workspace_id: "one",
  name: "slow – ü",
  filters: { min_latency: "2000", model: "a/b" },
  sort: "latency",
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  ...changes
})

const rename = (view: SavedView): SavedView => ({ ...view, name: "renamed" })

const firstPage = { offset: 0, limit: 100 }

/** Declares the tests in a vitest file: `SavedViewStoreContract("postgres", layer)`. */
export const SavedViewStoreContract = (
  implementation: string,
  layer: Layer.Layer<SavedViewStore | Transaction, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`SavedViewStore: ${implementation}`, () => {
    testQuotas(
      run,
      "saved views",
      SavedViewStore.useSync((store) => ({
        count: store.count,
        add: (account, workspace_id) => store.insert(account, makeView({ workspace_id }))
      }))
    )

    it("keeps views of accounts and workspaces apart, the oldest first, and adds each once", () =>
      run(
        Effect.gen(function* () {
          const store = yield* SavedViewStore
          const [account, stranger] = [fresh.makeAccountId(), fresh.makeAccountId()]
          const [one, other, later] = [
            makeView(),
            makeView({ workspace_id: "two" }),
            makeView({ sort: null, filters: {} })
          ]
          for (const each of [one, other, later]) assert.isTrue(yield* store.insert(account, each))
          assert.isFalse(yield* store.insert(account, { ...one, name: "again" }))
          assert.deepStrictEqual(yield* store.list(account, "one", firstPage), {
            rows: [one, later],
            total: 2
          })
          assert.deepStrictEqual(yield* store.find(account, other.id), other)
          assert.isUndefined(yield* store.find(stranger, other.id))
        })
      ))

    it("changes and removes a view of its account alone", () =>
      run(
        Effect.gen(function* () {
          const store = yield* SavedViewStore
          const [account, stranger] = [fresh.makeAccountId(), fresh.makeAccountId()]
          const view = makeView()
          yield* store.insert(account, view)
          assert.isUndefined(yield* store.update(stranger, view.id, rename))
          assert.isUndefined(yield* store.remove(stranger, view.id))
          const renamed = { ...view, name: "renamed" }
          assert.deepStrictEqual(yield* store.update(account, view.id, rename), renamed)
          assert.deepStrictEqual(yield* store.remove(account, view.id), renamed)
          assert.isUndefined(yield* store.remove(account, view.id))
          assert.isUndefined(yield* store.update(account, view.id, rename))
        })
      ))
  })
}
