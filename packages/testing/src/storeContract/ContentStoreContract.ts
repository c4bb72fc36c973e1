/** A test suite for implementations of `ContentStore`. */
import {
  type AccountId,
  ContentStore,
  defaultWorkspaceId,
  type KeptContent,
  PersonStore,
  type Stores,
  Transaction,
  UserId,
  WorkspaceId
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { makeRunTest } from "./makeRunTest.ts"

const now = 1_700_000_000_000

const makeContent = (account: AccountId, changes: Partial<KeptContent> = {}): KeptContent => ({
  id: fresh.makeGenerationId(),
  account,
  workspace: defaultWorkspaceId,
  keptAt: now,
  expiresAt: now + 1_000,
  sealed: { keyId: "k1", ciphertext: crypto.randomUUID() },
  ...changes
})

const list = (...contents: ReadonlyArray<KeptContent>) =>
  ContentStore.use((store) =>
    Effect.map(
      store.list(
        contents[0]!.account,
        contents.map(({ id }) => id),
        now
      ),
      (found) => contents.filter(({ id }) => found.some((each) => each.id === id))
    )
  )

/** Declares the tests in a vitest file: `ContentStoreContract("postgres", layer)`. It must keep 100 of an account. */
export const ContentStoreContract = (
  implementation: string,
  layer: Layer.Layer<Stores, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`ContentStore: ${implementation}`, () => {
    it("lists content exactly as it was put, with and without optional fields, until it expires", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ContentStore
          const account = fresh.makeAccountId()
          const full = makeContent(account, {
            keyHash: fresh.makeKeyHash(),
            user: UserId.make("user_ä😀\u0000"),
            externalUser: 'Ada "the first" \\'
          })
          const least = makeContent(account)
          yield* store.put([full, least])
          const ids = [full.id, least.id, fresh.makeGenerationId()]
          const found = yield* store.list(account, ids, now)
          assert.sameDeepMembers([...found], [full, least])
          assert.deepStrictEqual(yield* store.list(account, ids, full.expiresAt), [])
          assert.deepStrictEqual(yield* store.list(account, [], now), [])
          assert.deepStrictEqual(yield* store.list(fresh.makeAccountId(), ids, now), [])
        })
      ))

    it("keeps the first of several puts of one id, also at once", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ContentStore
          const account = fresh.makeAccountId()
          const first = makeContent(account)
          yield* store.put([first])
          const later = Array.from({ length: 5 }, () => makeContent(account, { id: first.id }))
          yield* Effect.forEach(later, (each) => store.put([each]), { concurrency: "unbounded" })
          assert.deepStrictEqual(yield* store.list(account, [first.id], now), [first])
        })
      ))

    it("removes what an account, a workspace or a key has, and nothing of others", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ContentStore
          const account = fresh.makeAccountId()
          const key = fresh.makeKeyHash()
          const workspace = WorkspaceId.make(crypto.randomUUID())
          const ofKey = makeContent(account, { keyHash: key })
          const ofWorkspace = makeContent(account, { workspace, keyHash: fresh.makeKeyHash() })
          const rest = makeContent(account)
          const foreign = makeContent(fresh.makeAccountId(), { keyHash: key, workspace })
          yield* store.put([ofKey, ofWorkspace, rest, foreign])
          assert.strictEqual(yield* store.remove({ account, key }), 1)
          assert.strictEqual(yield* store.remove({ account, key }), 0)
          assert.strictEqual(yield* store.remove({ account, workspace }), 1)
          assert.deepStrictEqual(yield* list(ofKey, ofWorkspace, rest), [rest])
          assert.strictEqual(yield* store.remove({ account }), 1)
          assert.deepStrictEqual(yield* list(foreign), [foreign])
        })
      ))

    it("joins a transaction when it removes", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ContentStore
          const { withTransaction } = yield* Transaction
          const content = makeContent(fresh.makeAccountId())
          yield* store.put([content])
          yield* Effect.ignore(
            withTransaction(
              Effect.andThen(store.remove({ account: content.account }), Effect.fail("undone"))
            )
          )
          assert.deepStrictEqual(yield* list(content), [content])
        })
      ))

    it("purges what has expired", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ContentStore
          const account = fresh.makeAccountId()
          const old = makeContent(account, { expiresAt: now })
          const young = makeContent(account, { expiresAt: now + 1 })
          yield* store.put([old, young])
          yield* store.purge(now)
          const found = yield* store.list(account, [old.id, young.id], 0)
          assert.deepStrictEqual(found, [young])
        })
      ))

    it("deletes what belongs to a person who is erased, and nothing of others", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ContentStore
          const people = yield* PersonStore
          const account = fresh.makeAccountId()
          const name = 'Ada "the first" \\ 😀'
          const own = makeContent(account, { user: UserId.make(name) })
          const external = makeContent(account, { externalUser: name })
          const other = makeContent(account, { user: UserId.make("other") })
          const foreign = makeContent(fresh.makeAccountId(), { user: UserId.make(name) })
          yield* store.put([own, external, other, foreign])
          yield* people.rename({ account, kind: "user", name, pseudonym: "erased-1" })
          assert.deepStrictEqual(yield* list(own, external, other), [external, other])
          yield* people.rename({ account, kind: "external_user", name, pseudonym: "erased-2" })
          assert.deepStrictEqual(yield* list(external, other), [other])
          assert.deepStrictEqual(yield* list(foreign), [foreign])
        })
      ))

    it("reseals each content once, unless it was removed or resealed meanwhile", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ContentStore
          const account = fresh.makeAccountId()
          const current = `k-${crypto.randomUUID()}`
          const contents = Array.from({ length: 5 }, () => makeContent(account))
          yield* store.put(contents)
          const pages = []
          let after: KeptContent | undefined
          do {
            const page = yield* store.listToReseal(current, after, 2)
            pages.push(...page)
            after = page.length < 2 ? undefined : page.at(-1)
          } while (after !== undefined)
          const own = pages.filter((each) => each.account === account)
          assert.sameDeepMembers(own, contents)
          const [one, two] = contents
          const seal = { keyId: current, ciphertext: "new" }
          const attempts = yield* Effect.all(
            [store.reseal(one!, seal), store.reseal(one!, { ...seal, ciphertext: "newer" })],
            { concurrency: "unbounded" }
          )
          assert.sameMembers(attempts, [true, false])
          yield* store.remove({ account })
          assert.isFalse(yield* store.reseal(two!, seal))
        })
      ))
  })
}
