/** A test suite for implementations of `CredentialStore`. */
import {
  type AccountId,
  CredentialStore,
  defaultWorkspaceId,
  type SealedCredential,
  type NewSealedCredential,
  type SealedSecret,
  WorkspaceId,
  type Transaction
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { collectPages } from "./collectPages.ts"
import * as fresh from "./fixtures.ts"
import { testQuotas } from "./testQuotas.ts"
import { makeRunTest } from "./makeRunTest.ts"

type Fields = Partial<NewSealedCredential["credential"]>

const makeSealed = (keyId: string): SealedSecret => ({ keyId, ciphertext: crypto.randomUUID() })

const makeCredential = (rest: Fields = {}, sealed = makeSealed("k1")): NewSealedCredential => ({
  credential: {
    id: crypto.randomUUID(),
    name: "",
    label: "sk-one...xyz",
    provider: "acme",
    workspace_id: defaultWorkspaceId,
    allowed_api_key_hashes: null,
    allowed_models: null,
    allowed_user_ids: null,
    declared_zdr: null,
    disabled: false,
    is_byok_only: false,
    is_fallback: false,
    is_required: false,
    created_at: "2026-01-02T03:04:05.678Z",
    ...rest
  },
  sealed
})

const withSortOrder = (
  { credential, ...kept }: NewSealedCredential,
  sort_order: number
): SealedCredential => ({
  ...kept,
  credential: { ...credential, sort_order }
})

const rejection = { at: "2026-01-02T03:04:05.678Z", kind: "credential_refused", status: 401 }
const firstPage = { offset: 0, limit: 100 }

const listOrder = (account: AccountId) =>
  Effect.flatMap(CredentialStore, (store) =>
    Effect.map(store.list(account, {}, firstPage), ({ rows }) =>
      rows.map(({ credential: { id, sort_order } }) => [id, sort_order] as const)
    )
  )

/** Declares the tests in a vitest file: `CredentialStoreContract("postgres", layer)`. */
export const CredentialStoreContract = (
  implementation: string,
  layer: Layer.Layer<Transaction | CredentialStore, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`CredentialStore: ${implementation}`, () => {
    testQuotas(
      run,
      "credentials",
      CredentialStore.useSync((store) => ({
        count: store.count,
        add: (account, workspace) =>
          store.insert(account, makeCredential({ workspace_id: workspace }))
      }))
    )

    it("finds a credential exactly as it was added, only for its own account", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const [account, other] = [fresh.makeAccountId(), fresh.makeAccountId()]
          const full = makeCredential({
            name: "ours",
            workspace_id: null,
            allowed_api_key_hashes: [fresh.makeKeyHash()],
            allowed_models: ["a/b"],
            allowed_user_ids: [],
            declared_zdr: false,
            is_fallback: true,
            is_required: true
          })
          assert.deepStrictEqual(yield* store.insert(account, full), withSortOrder(full, 0))
          assert.deepStrictEqual(
            yield* store.find(account, full.credential.id),
            withSortOrder(full, 0)
          )
          assert.isUndefined(yield* store.find(other, full.credential.id))
          assert.deepStrictEqual(yield* store.listEnabled(other), [])
          assert.isUndefined(yield* store.remove(other, full.credential.id))
          assert.isUndefined(yield* store.update(other, full.credential.id, (kept) => kept))
          assert.isUndefined(yield* store.reorder(other, [full.credential.id]))
        })
      ))

    it("lists the credentials of a workspace and those for all workspaces, in order and in pages", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.makeAccountId()
          const elsewhere = WorkspaceId.make(crypto.randomUUID())
          const rows = [
            makeCredential(),
            makeCredential({ workspace_id: elsewhere }),
            makeCredential({ workspace_id: null }),
            makeCredential({ provider: "other" })
          ]
          for (const row of rows) yield* store.insert(account, row)
          const [first, second, everywhere, other] = rows.map(({ credential: { id } }) => id)
          const ids = (scope: Parameters<typeof store.list>[1], page = firstPage) =>
            Effect.map(store.list(account, scope, page), ({ rows, total }) => [
              total,
              ...rows.map(({ credential: { id } }) => id)
            ])
          const workspace = defaultWorkspaceId
          assert.deepStrictEqual(yield* ids({}), [4, first, other, second, everywhere])
          assert.deepStrictEqual(yield* ids({ workspace }), [3, first, other, everywhere])
          assert.deepStrictEqual(yield* ids({ workspace, provider: "acme" }), [
            2,
            first,
            everywhere
          ])
          assert.deepStrictEqual(yield* ids({ workspace }, { offset: 1, limit: 1 }), [3, other])
          assert.deepStrictEqual(yield* ids({ workspace }, { offset: 9, limit: 1 }), [3])
        })
      ))

    it("gives each of many concurrently added credentials its own sort order", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.makeAccountId()
          yield* Effect.forEach(
            Array.from({ length: 20 }, () => makeCredential()),
            (row) => store.insert(account, row),
            { concurrency: "unbounded" }
          )
          const places = (yield* listOrder(account)).map(([, place]) => place)
          assert.deepStrictEqual(
            places,
            Array.from({ length: 20 }, (_, place) => place)
          )
        })
      ))

    it("lists the enabled credentials", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.makeAccountId()
          const [one, two] = [makeCredential(), makeCredential({ disabled: true })]
          yield* store.insert(account, one)
          yield* store.insert(account, two)
          assert.deepStrictEqual(yield* store.listEnabled(account), [withSortOrder(one, 0)])
        })
      ))

    it("keeps all of many concurrent changes", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.makeAccountId()
          const row = makeCredential()
          yield* store.insert(account, row)
          const { id } = row.credential
          yield* Effect.forEach(
            Array.from({ length: 20 }, (_, i) => String(i)),
            (user) =>
              store.update(account, id, (kept) => ({
                ...kept,
                credential: {
                  ...kept.credential,
                  allowed_user_ids: [...(kept.credential.allowed_user_ids ?? []), user]
                }
              })),
            { concurrency: "unbounded" }
          )
          const kept = yield* store.find(account, id)
          assert.strictEqual(kept?.credential.allowed_user_ids?.length, 20)
        })
      ))

    it("removes a credential with its secret, and returns it", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.makeAccountId()
          const row = makeCredential()
          yield* store.insert(account, row)
          const { id } = row.credential
          assert.deepStrictEqual(yield* store.remove(account, id), withSortOrder(row, 0))
          assert.isUndefined(yield* store.find(account, id))
          assert.isUndefined(yield* store.remove(account, id))
          assert.deepStrictEqual(yield* store.listEnabled(account), [])
        })
      ))

    it("replaces a credential, and keeps its age, its sort order and an unchanged secret", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.makeAccountId()
          yield* store.insert(account, makeCredential())
          const row = makeCredential()
          const { id } = row.credential
          assert.deepStrictEqual(yield* store.put(account, row, false), withSortOrder(row, 1))
          yield* store.recordRefusal(account, id, row.sealed, rejection)
          const later = makeCredential({
            id,
            name: "later",
            created_at: "2026-02-02T00:00:00.000Z"
          })
          const credential = { ...withSortOrder(row, 1).credential, name: "later" }
          const kept = { credential, sealed: row.sealed, refusal: rejection }
          assert.deepStrictEqual(yield* store.put(account, later, true), kept)
          assert.deepStrictEqual(yield* store.find(account, id), kept)
          const changed = { credential, sealed: later.sealed }
          assert.deepStrictEqual(yield* store.put(account, later, false), changed)
          assert.deepStrictEqual(yield* store.find(account, id), changed)
        })
      ))

    it("moves the named credentials of a provider to the front, or changes nothing", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.makeAccountId()
          const rows = [
            makeCredential(),
            makeCredential(),
            makeCredential(),
            makeCredential({ provider: "other" })
          ]
          for (const row of rows) yield* store.insert(account, row)
          const [a, b, c, other] = rows.map(({ credential: { id } }) => id)
          const before = yield* listOrder(account)
          assert.isUndefined(yield* store.reorder(account, [c!, "nobody"]))
          assert.deepStrictEqual(yield* listOrder(account), before)
          const moved = yield* store.reorder(account, [c!])
          assert.sameDeepMembers(
            [...(moved ?? [])],
            [
              { id: c, before: 2, after: 0 },
              { id: a, before: 0, after: 1 },
              { id: b, before: 1, after: 2 }
            ]
          )
          const expected = new Map([
            [c, 0],
            [other, 0],
            [a, 1],
            [b, 2]
          ])
          assert.deepStrictEqual(new Map(yield* listOrder(account)), expected)
          assert.deepStrictEqual(yield* store.reorder(account, [c!, a!, b!, other!]), [])
          const next = makeCredential()
          yield* store.insert(account, next)
          assert.strictEqual(
            (yield* store.find(account, next.credential.id))?.credential.sort_order,
            3
          )
        })
      ))

    it("records a rejection of the current secret only", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.makeAccountId()
          const row = makeCredential()
          const { id } = row.credential
          yield* store.insert(account, row)
          yield* store.recordRefusal(account, id, makeSealed("k1"), rejection)
          assert.deepStrictEqual(yield* store.find(account, id), withSortOrder(row, 0))
          yield* store.recordRefusal(account, id, row.sealed, rejection)
          assert.deepStrictEqual(yield* store.find(account, id), {
            ...withSortOrder(row, 0),
            refusal: rejection
          })
          yield* store.recordRefusal(account, "nobody", row.sealed, rejection)
        })
      ))

    it("lists secrets sealed under other keys, and reseals them unless they have changed", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.makeAccountId()
          const [keyA, keyB] = [crypto.randomUUID(), crypto.randomUUID()]
          const [one, two] = [
            makeCredential({}, makeSealed(keyA)),
            makeCredential({}, makeSealed(keyB))
          ]
          yield* store.insert(account, one)
          yield* store.insert(account, two)
          const otherThan = (keyId: string) =>
            Effect.map(collectPages(store.listToReseal, keyId), (rows) =>
              rows.flatMap((row) => (row.account === account ? [row.row] : []))
            )
          assert.deepStrictEqual(yield* otherThan(keyB), [withSortOrder(one, 0)])
          assert.strictEqual(
            (yield* store.listToReseal(crypto.randomUUID(), undefined, 1)).length,
            1
          )
          const after = makeSealed(keyB)
          const { id } = one.credential
          assert.isFalse(yield* store.reseal(account, id, makeSealed(keyA), after))
          assert.isFalse(yield* store.reseal(account, "nobody", one.sealed, after))
          assert.deepStrictEqual(yield* otherThan(keyB), [withSortOrder(one, 0)])
          assert.isTrue(yield* store.reseal(account, id, one.sealed, after))
          assert.deepStrictEqual(yield* otherThan(keyB), [])
          assert.deepStrictEqual(yield* store.find(account, id), {
            ...withSortOrder(one, 0),
            sealed: after
          })
        })
      ))
  })
}
