/** What every `CredentialStore` must do. */
import {
  type AccountId,
  CredentialStore,
  defaultWorkspaceId,
  type KeptCredential,
  type NewKeptCredential,
  type Sealed,
  WorkspaceId,
  type Atomically
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { everyPage } from "./everyPage.ts"
import * as fresh from "./fresh.ts"
import { keepingQuotas } from "./keepingQuotas.ts"
import { runOn } from "./runOn.ts"

type Fields = Partial<NewKeptCredential["credential"]>

const sealedUnder = (keyId: string): Sealed => ({ keyId, box: crypto.randomUUID() })

const made = (rest: Fields = {}, sealed = sealedUnder("k1")): NewKeptCredential => ({
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

const at = ({ credential, ...kept }: NewKeptCredential, sort_order: number): KeptCredential => ({
  ...kept,
  credential: { ...credential, sort_order }
})

const refused = { at: "2026-01-02T03:04:05.678Z", kind: "credential_refused", status: 401 }
const all = { offset: 0, limit: 100 }

const orderOf = (account: AccountId) =>
  Effect.flatMap(CredentialStore, (store) =>
    Effect.map(store.list(account, {}, all), ({ rows }) =>
      rows.map(({ credential: { id, sort_order } }) => [id, sort_order] as const)
    )
  )

/** Declares the tests in a vitest file: `CredentialStoreContract("postgres", layer)`. */
export const CredentialStoreContract = (
  implementation: string,
  layer: Layer.Layer<Atomically | CredentialStore, unknown>
): void => {
  const run = runOn(layer)
  describe(`CredentialStore: ${implementation}`, () => {
    keepingQuotas(
      run,
      "credentials",
      CredentialStore.useSync((store) => ({
        count: store.count,
        add: (account, workspace) => store.insert(account, made({ workspace_id: workspace }))
      }))
    )

    it("finds one exactly as it was added, for its own account alone", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const [account, other] = [fresh.account(), fresh.account()]
          const full = made({
            name: "ours",
            workspace_id: null,
            allowed_api_key_hashes: [fresh.keyHash()],
            allowed_models: ["a/b"],
            allowed_user_ids: [],
            declared_zdr: false,
            is_fallback: true,
            is_required: true
          })
          assert.deepStrictEqual(yield* store.insert(account, full), at(full, 0))
          assert.deepStrictEqual(yield* store.find(account, full.credential.id), at(full, 0))
          assert.isUndefined(yield* store.find(other, full.credential.id))
          assert.deepStrictEqual(yield* store.enabled(other), [])
          assert.isUndefined(yield* store.remove(other, full.credential.id))
          assert.isUndefined(yield* store.update(other, full.credential.id, (kept) => kept))
          assert.isUndefined(yield* store.arrange(other, [full.credential.id]))
        })
      ))

    it("lists a workspace with what is for every workspace, by order, page by page", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.account()
          const elsewhere = WorkspaceId.make(crypto.randomUUID())
          const rows = [
            made(),
            made({ workspace_id: elsewhere }),
            made({ workspace_id: null }),
            made({ provider: "other" })
          ]
          for (const row of rows) yield* store.insert(account, row)
          const [first, second, everywhere, other] = rows.map(({ credential: { id } }) => id)
          const ids = (scope: Parameters<typeof store.list>[1], page = all) =>
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

    it("gives each of many added at once a place of its own", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.account()
          yield* Effect.forEach(
            Array.from({ length: 20 }, () => made()),
            (row) => store.insert(account, row),
            { concurrency: "unbounded" }
          )
          const places = (yield* orderOf(account)).map(([, place]) => place)
          assert.deepStrictEqual(
            places,
            Array.from({ length: 20 }, (_, place) => place)
          )
        })
      ))

    it("tells which are enabled", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.account()
          const [one, two] = [made(), made({ disabled: true })]
          yield* store.insert(account, one)
          yield* store.insert(account, two)
          assert.deepStrictEqual(yield* store.enabled(account), [at(one, 0)])
        })
      ))

    it("loses none of many changes at once", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.account()
          const row = made()
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

    it("removes one with its secret, and gives what was there", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.account()
          const row = made()
          yield* store.insert(account, row)
          const { id } = row.credential
          assert.deepStrictEqual(yield* store.remove(account, id), at(row, 0))
          assert.isUndefined(yield* store.find(account, id))
          assert.isUndefined(yield* store.remove(account, id))
          assert.deepStrictEqual(yield* store.enabled(account), [])
        })
      ))

    it("puts one in the place of itself, and keeps its age, its place and an unchanged secret", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.account()
          yield* store.insert(account, made())
          const row = made()
          const { id } = row.credential
          assert.deepStrictEqual(yield* store.put(account, row, false), at(row, 1))
          yield* store.noteRefused(account, id, row.sealed, refused)
          const later = made({ id, name: "later", created_at: "2026-02-02T00:00:00.000Z" })
          const credential = { ...at(row, 1).credential, name: "later" }
          const kept = { credential, sealed: row.sealed, refused }
          assert.deepStrictEqual(yield* store.put(account, later, true), kept)
          assert.deepStrictEqual(yield* store.find(account, id), kept)
          const changed = { credential, sealed: later.sealed }
          assert.deepStrictEqual(yield* store.put(account, later, false), changed)
          assert.deepStrictEqual(yield* store.find(account, id), changed)
        })
      ))

    it("arranges some of a provider in front of the others, or nothing at all", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.account()
          const rows = [made(), made(), made(), made({ provider: "other" })]
          for (const row of rows) yield* store.insert(account, row)
          const [a, b, c, other] = rows.map(({ credential: { id } }) => id)
          const before = yield* orderOf(account)
          assert.isUndefined(yield* store.arrange(account, [c!, "nobody"]))
          assert.deepStrictEqual(yield* orderOf(account), before)
          const moved = yield* store.arrange(account, [c!])
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
          assert.deepStrictEqual(new Map(yield* orderOf(account)), expected)
          assert.deepStrictEqual(yield* store.arrange(account, [c!, a!, b!, other!]), [])
          const next = made()
          yield* store.insert(account, next)
          assert.strictEqual(
            (yield* store.find(account, next.credential.id))?.credential.sort_order,
            3
          )
        })
      ))

    it("notes a refusal of the secret there is, and of no other", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.account()
          const row = made()
          const { id } = row.credential
          yield* store.insert(account, row)
          yield* store.noteRefused(account, id, sealedUnder("k1"), refused)
          assert.deepStrictEqual(yield* store.find(account, id), at(row, 0))
          yield* store.noteRefused(account, id, row.sealed, refused)
          assert.deepStrictEqual(yield* store.find(account, id), { ...at(row, 0), refused })
          yield* store.noteRefused(account, "nobody", row.sealed, refused)
        })
      ))

    it("finds what is sealed under other keys, and seals it anew unless it has changed", () =>
      run(
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const account = fresh.account()
          const [keyA, keyB] = [crypto.randomUUID(), crypto.randomUUID()]
          const [one, two] = [made({}, sealedUnder(keyA)), made({}, sealedUnder(keyB))]
          yield* store.insert(account, one)
          yield* store.insert(account, two)
          const otherThan = (keyId: string) =>
            Effect.map(everyPage(store.sealedOtherwise, keyId), (rows) =>
              rows.flatMap((row) => (row.account === account ? [row.kept] : []))
            )
          assert.deepStrictEqual(yield* otherThan(keyB), [at(one, 0)])
          assert.strictEqual(
            (yield* store.sealedOtherwise(crypto.randomUUID(), undefined, 1)).length,
            1
          )
          const after = sealedUnder(keyB)
          const { id } = one.credential
          assert.isFalse(yield* store.reseal(account, id, sealedUnder(keyA), after))
          assert.isFalse(yield* store.reseal(account, "nobody", one.sealed, after))
          assert.deepStrictEqual(yield* otherThan(keyB), [at(one, 0)])
          assert.isTrue(yield* store.reseal(account, id, one.sealed, after))
          assert.deepStrictEqual(yield* otherThan(keyB), [])
          assert.deepStrictEqual(yield* store.find(account, id), { ...at(one, 0), sealed: after })
        })
      ))
  })
}
