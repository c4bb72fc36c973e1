/** A test suite for implementations of `ApiKeyStore`. */
import {
  type ApiKey,
  ApiKeyStore,
  UserId,
  WorkspaceId,
  type Transaction
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { testQuotas } from "./testQuotas.ts"
import { makeRunTest } from "./makeRunTest.ts"

const everyKey = { includeDisabled: true }
const page = { offset: 0, limit: 100 }

const insertKey = (key: ApiKey) => ApiKeyStore.use((store) => store.put(key))
const findKey = (key: ApiKey) => ApiKeyStore.use((store) => store.find(key.account, key.hash))
const findBySecret = (secret: ApiKey["secret_hash"]) =>
  ApiKeyStore.use((store) => store.findBySecretHash(secret))
const listKeys = (account: ApiKey["account"]) =>
  ApiKeyStore.use((store) => store.list(account, everyKey, page))

const makeSeeded = (key: ApiKey): ApiKey => ({ ...key, name: "taken over" })

/** Replaces the secret. The old one is removed, or kept as the former secret. */
const rotate = (key: ApiKey, keepsFormer: boolean) => {
  const secret_hash = fresh.makeKeyHash()
  return ApiKeyStore.use((store) =>
    store.rotate(key.account, key.hash, (before) => ({
      ...before,
      secret_hash,
      former_secret: keepsFormer
        ? { hash: before.secret_hash, expires_at: "2026-11-02T00:00:00.000Z" }
        : null
    }))
  )
}

/** Requires an existing key. */
const replaceSecret = (key: ApiKey, keepsFormer: boolean) =>
  Effect.flatMap(rotate(key, keepsFormer), (rotated) =>
    rotated === undefined ? Effect.die("there is no such key") : Effect.succeed(rotated)
  )

/** Declares the tests in a vitest file: `ApiKeyStoreContract("postgres", layer)`. */
export const ApiKeyStoreContract = (
  implementation: string,
  layer: Layer.Layer<Transaction | ApiKeyStore, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`ApiKeyStore: ${implementation}`, () => {
    testQuotas(
      run,
      "keys",
      ApiKeyStore.useSync((store) => ({
        count: store.count,
        add: (account, workspace) =>
          store.put(fresh.makeApiKey({ account, workspace: WorkspaceId.make(workspace) }))
      }))
    )

    it("finds a key by its hash, exactly as it was stored", () =>
      run(
        Effect.gen(function* () {
          const plain = fresh.makeApiKey()
          const full = fresh.makeApiKey({
            kind: "member",
            user: UserId.make("user_1"),
            former_secret: { hash: fresh.makeKeyHash(), expires_at: "2026-11-02T00:00:00.000Z" },
            limit: 0.000_000_001,
            limit_reset: "weekly",
            include_byok_in_limit: true,
            disabled: true,
            expires_at: "2030-01-01T00:00:00.000Z",
            updated_at: "2026-11-01T00:00:00.001Z",
            creator_user_id: "user_1",
            external_user: "__proto__",
            external_key_hash: fresh.makeKeyHash(),
            rate_limit: { requests: 3, windowMillis: 1_000 }
          })
          yield* insertKey(plain)
          yield* insertKey(full)
          for (const key of [plain, full]) {
            assert.deepStrictEqual(yield* findBySecret(key.hash), key)
            assert.deepStrictEqual(yield* findKey(key), key)
          }
        })
      ))

    it("returns nothing for an unknown key", () =>
      run(
        Effect.gen(function* () {
          yield* insertKey(fresh.makeApiKey())
          const unknown = fresh.makeApiKey()
          assert.isUndefined(yield* findBySecret(unknown.hash))
          assert.isUndefined(yield* findKey(unknown))
        })
      ))

    it("replaces the key with the same hash, and no other", () =>
      run(
        Effect.gen(function* () {
          const [first, other] = [fresh.makeApiKey(), fresh.makeApiKey()]
          const second: ApiKey = {
            ...first,
            kind: "member",
            user: UserId.make("user_1"),
            name: "renamed"
          }
          yield* Effect.forEach([first, other, second], insertKey)
          assert.deepStrictEqual(yield* findBySecret(first.hash), second)
          assert.deepStrictEqual(yield* findBySecret(other.hash), other)
          yield* insertKey(first)
          assert.deepStrictEqual(yield* findBySecret(first.hash), first)
        })
      ))

    it("keeps all of many keys stored concurrently", () =>
      run(
        Effect.gen(function* () {
          const keys = Array.from({ length: 20 }, () => fresh.makeApiKey())
          yield* Effect.forEach(keys, insertKey, { concurrency: "unbounded" })
          for (const put of keys) assert.deepStrictEqual(yield* findBySecret(put.hash), put)
        })
      ))

    it("hides the keys of other accounts", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ApiKeyStore
          const key = fresh.makeApiKey()
          const stranger = fresh.makeAccountId()
          yield* insertKey(key)
          assert.isUndefined(yield* store.find(stranger, key.hash))
          assert.isUndefined(yield* store.update(stranger, key.hash, makeSeeded))
          assert.isUndefined(yield* store.rotate(stranger, key.hash, makeSeeded))
          assert.isUndefined(yield* store.remove(stranger, key.hash))
          assert.deepStrictEqual(yield* listKeys(stranger), { rows: [], total: 0 })
          assert.deepStrictEqual(yield* findKey(key), key)
        })
      ))

    it("lists the keys of an account by age, oldest first, in pages", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ApiKeyStore
          const account = fresh.makeAccountId()
          const keys = Array.from({ length: 5 }, (_, i) =>
            fresh.makeApiKey({ account, created_at: `2026-11-01T00:00:0${i}.000Z` })
          )
          yield* Effect.forEach(keys, insertKey)
          yield* insertKey(fresh.makeApiKey())
          assert.deepStrictEqual(yield* listKeys(account), { rows: keys, total: 5 })
          assert.deepStrictEqual(yield* store.list(account, everyKey, { offset: 3, limit: 1 }), {
            rows: keys.slice(3, 4),
            total: 5
          })
          assert.deepStrictEqual(yield* store.list(account, everyKey, { offset: 5, limit: 2 }), {
            rows: [],
            total: 5
          })
        })
      ))

    it("lists the keys of a workspace, with disabled ones on request", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ApiKeyStore
          const account = fresh.makeAccountId()
          const workspace = WorkspaceId.make("a workspace")
          const outside = fresh.makeApiKey({ account, created_at: "2026-11-01T00:00:00.000Z" })
          const off = fresh.makeApiKey({
            account,
            workspace,
            disabled: true,
            created_at: "2026-11-01T00:00:01.000Z"
          })
          const on = fresh.makeApiKey({
            account,
            workspace,
            created_at: "2026-11-01T00:00:02.000Z"
          })
          yield* Effect.forEach([outside, off, on], insertKey)
          const rowsOf = (filter: Parameters<typeof store.list>[1]) =>
            Effect.map(store.list(account, filter, page), ({ rows, total }) => {
              assert.strictEqual(rows.length, total)
              return rows
            })
          assert.deepStrictEqual(yield* rowsOf({ includeDisabled: false }), [outside, on])
          assert.deepStrictEqual(yield* rowsOf({ includeDisabled: true, workspace }), [off, on])
          assert.deepStrictEqual(yield* rowsOf({ includeDisabled: false, workspace }), [on])
          assert.deepStrictEqual(yield* rowsOf({ includeDisabled: true, newestFirst: true }), [
            on,
            off,
            outside
          ])
        })
      ))

    it("keeps all of many concurrent changes to one key", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ApiKeyStore
          const key = fresh.makeApiKey({ name: "" })
          yield* insertKey(key)
          yield* Effect.forEach(
            Array.from("abcdefghij"),
            (letter) =>
              store.update(key.account, key.hash, (before) => ({
                ...before,
                name: before.name + letter
              })),
            { concurrency: "unbounded" }
          )
          const after = yield* findKey(key)
          assert.strictEqual(
            Array.from(after?.name ?? "")
              .toSorted()
              .join(""),
            "abcdefghij"
          )
          assert.deepStrictEqual(yield* findBySecret(key.secret_hash), after)
        })
      ))

    it("removes a key once, returns it, and ignores later changes to it", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ApiKeyStore
          const key = fresh.makeApiKey({
            former_secret: { hash: fresh.makeKeyHash(), expires_at: "2026-11-02T00:00:00.000Z" }
          })
          yield* insertKey(key)
          const removed = yield* Effect.all(
            Array.from({ length: 10 }, () => store.remove(key.account, key.hash)),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(
            removed.filter((each) => each !== undefined),
            [key]
          )
          assert.isUndefined(yield* store.update(key.account, key.hash, (key) => key))
          assert.isUndefined(yield* rotate(key, true))
          assert.isUndefined(yield* findKey(key))
          assert.isUndefined(yield* findBySecret(key.secret_hash))
          assert.isUndefined(yield* findBySecret(key.former_secret?.hash ?? key.hash))
          assert.deepStrictEqual(yield* listKeys(key.account), { rows: [], total: 0 })
        })
      ))

    it("ensures a key once, and preserves later changes and removals", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ApiKeyStore
          const key = fresh.makeApiKey()
          const names = Array.from({ length: 10 }, (_, i) => `name ${i}`)
          yield* Effect.forEach(names, (name) => store.ensure({ ...key, name }), {
            concurrency: "unbounded"
          })
          const first = yield* findKey(key)
          assert.include(names, first?.name)
          assert.strictEqual((yield* listKeys(key.account)).total, 1)
          yield* store.update(key.account, key.hash, (key) => ({ ...key, disabled: true }))
          yield* store.ensure(key)
          assert.deepStrictEqual(yield* findBySecret(key.hash), { ...first, disabled: true })
          const { after } = yield* replaceSecret(key, false)
          yield* store.ensure(key)
          assert.isUndefined(yield* findBySecret(key.hash))
          assert.isDefined(yield* findBySecret(after.secret_hash))
          yield* store.remove(key.account, key.hash)
          yield* store.ensure(key)
          assert.isUndefined(yield* findBySecret(key.hash))
          assert.isUndefined(yield* findKey(key))
        })
      ))

    it("replaces a secret atomically", () =>
      run(
        Effect.gen(function* () {
          const key = fresh.makeApiKey()
          yield* insertKey(key)
          const first = yield* replaceSecret(key, false)
          assert.deepStrictEqual(first.before, key)
          assert.isUndefined(yield* findBySecret(key.secret_hash))
          assert.deepStrictEqual(yield* findBySecret(first.after.secret_hash), first.after)
          assert.deepStrictEqual(yield* findKey(key), first.after)

          const second = yield* replaceSecret(key, true)
          assert.deepStrictEqual(second.before, first.after)
          for (const secret of [first.after.secret_hash, second.after.secret_hash]) {
            assert.deepStrictEqual(yield* findBySecret(secret), second.after)
          }
          const third = yield* replaceSecret(key, true)
          assert.isUndefined(yield* findBySecret(first.after.secret_hash))
          assert.deepStrictEqual(yield* findBySecret(second.after.secret_hash), third.after)
        })
      ))

    it("leaves only the secret of the last of many concurrent rotations", () =>
      run(
        Effect.gen(function* () {
          const key = fresh.makeApiKey()
          yield* insertKey(key)
          const rotations = yield* Effect.all(
            Array.from({ length: 10 }, () => replaceSecret(key, false)),
            { concurrency: "unbounded" }
          )
          const last = yield* findKey(key)
          const secrets = rotations.flatMap(({ after, before }) => [
            before.secret_hash,
            after.secret_hash
          ])
          // Each rotation replaces the secret of the one before, so the 10 rotations form a chain
          // of 11 secrets.
          assert.strictEqual(new Set(secrets).size, 11)
          for (const secret of secrets) {
            const opened = yield* findBySecret(secret)
            assert.strictEqual(opened !== undefined, secret === last?.secret_hash)
          }
        })
      ))
  })
}
