/** A test suite for implementations of `VaultStore`. */
import {
  type AccountId,
  Transaction,
  type StoredSecret,
  type OwnedSecret,
  type SealedSecret,
  type Vault,
  VaultId,
  VaultStore,
  WorkspaceId
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { collectPages } from "./collectPages.ts"
import * as fresh from "./fixtures.ts"
import { testQuotas } from "./testQuotas.ts"
import { makeRunTest } from "./makeRunTest.ts"

const makeSealed = (keyId: string): SealedSecret => ({ keyId, ciphertext: crypto.randomUUID() })

const makeSecret = (name: string, rest: Partial<StoredSecret> = {}): StoredSecret => ({
  created_at: "2026-01-02T03:04:05.678Z",
  fingerprint: crypto.randomUUID(),
  hosts: ["api.example.com"],
  name,
  sealed: makeSealed("k1"),
  ...rest
})

const makeVault = (
  account: AccountId = fresh.makeAccountId(),
  workspace: WorkspaceId = WorkspaceId.make(crypto.randomUUID()),
  intern: string | null = null
): Vault => ({ id: VaultId.make(crypto.randomUUID()), account, workspace, intern })

const firstPage = { offset: 0, limit: 100 }

const compareIds = (self: Vault, that: Vault): number => self.id.localeCompare(that.id)
const toLocation = ({ secret, vault }: OwnedSecret): string => `${vault} ${secret.name}`
const sortByLocation = (rows: ReadonlyArray<OwnedSecret>): ReadonlyArray<string> =>
  rows.map(toLocation).toSorted()

/** An open vault. */
const openVault = Effect.flatMap(VaultStore, (store) => {
  const made = makeVault()
  return Effect.as(store.open(made), made)
})

const listNames = (id: VaultId) =>
  Effect.flatMap(VaultStore, (store) =>
    Effect.map(store.list(id, firstPage), ({ rows }) => rows.map(({ name }) => name))
  )

/** Declares the tests in a vitest file: `VaultStoreContract("postgres", layer)`. */
export const VaultStoreContract = (
  implementation: string,
  layer: Layer.Layer<Transaction | VaultStore, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`VaultStore: ${implementation}`, () => {
    testQuotas(
      run,
      "secrets",
      VaultStore.useSync((store) => ({
        count: store.count,
        add: (account, workspace) => {
          const made = makeVault(account, WorkspaceId.make(workspace))
          return Effect.andThen(store.open(made), store.put(made.id, [makeSecret("one")]))
        }
      }))
    )

    it("opens a vault once, finds it, and closes it with its secrets", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VaultStore
          const made = makeVault(fresh.makeAccountId(), undefined, "intern-1")
          assert.isUndefined(yield* store.find(made.id))
          assert.isUndefined(yield* store.close(made.id))
          assert.isTrue(yield* store.open(made))
          const [one, two] = [
            makeSecret("one"),
            makeSecret("two", { hosts: null, fingerprint: null })
          ]
          yield* store.put(made.id, [one, two])
          assert.isFalse(yield* store.open({ ...made, intern: "intern-2" }))
          assert.deepStrictEqual(yield* store.find(made.id), made)
          assert.deepStrictEqual(yield* store.list(made.id, firstPage), {
            rows: [one, two],
            hasMore: false
          })
          assert.deepStrictEqual(yield* store.close(made.id), { vault: made, secrets: [one, two] })
          assert.isUndefined(yield* store.close(made.id))
          assert.isUndefined(yield* store.find(made.id))
          assert.deepStrictEqual(yield* store.listByHost([made.id], "api.example.com"), [])
          // A vault that is opened again is empty.
          assert.isTrue(yield* store.open(made))
          assert.deepStrictEqual(yield* listNames(made.id), [])
          assert.deepStrictEqual(yield* store.listByHost([made.id], "api.example.com"), [])
        })
      ))

    it("lists the vaults of one workspace only", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VaultStore
          const own = makeVault()
          const { account, workspace } = own
          const ofIntern = makeVault(account, workspace, "intern-1")
          for (const each of [own, ofIntern, makeVault(account), makeVault(undefined, workspace)]) {
            yield* store.open(each)
          }
          const found = yield* store.listByWorkspace(account, workspace)
          assert.deepStrictEqual(found.toSorted(compareIds), [own, ofIntern].toSorted(compareIds))
          yield* store.close(ofIntern.id)
          assert.deepStrictEqual(yield* store.listByWorkspace(account, workspace), [own])
          assert.deepStrictEqual(yield* store.listByWorkspace(fresh.makeAccountId(), workspace), [])
        })
      ))

    it("opens a vault for one of many concurrent callers", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VaultStore
          const made = makeVault()
          const done = yield* Effect.forEach(
            Array.from({ length: 10 }, () => made),
            store.open,
            { concurrency: "unbounded" }
          )
          assert.strictEqual(done.filter(Boolean).length, 1)
        })
      ))

    it("replaces a secret in place, and keeps only its age", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VaultStore
          const { id } = yield* openVault
          const [one, two] = [
            makeSecret("one", { hosts: ["a.example", "b.example"] }),
            makeSecret("two")
          ]
          assert.deepStrictEqual(yield* store.put(id, [one]), [{ before: undefined, after: one }])
          yield* store.put(id, [two])
          const renewed = makeSecret("one", {
            created_at: "2027-01-01T00:00:00.000Z",
            hosts: ["b.example", "c.example"],
            sealed: makeSealed("k2")
          })
          const after = { ...renewed, created_at: one.created_at }
          assert.deepStrictEqual(yield* store.put(id, [renewed]), [{ before: one, after }])
          assert.deepStrictEqual((yield* store.list(id, firstPage)).rows, [after, two])
          assert.deepStrictEqual(yield* store.findByNames(id, ["one"]), [after])
          assert.deepStrictEqual(yield* store.listByHost([id], "a.example"), [])
          for (const host of ["b.example", "c.example"]) {
            assert.deepStrictEqual(yield* store.listByHost([id], host), [
              { vault: id, secret: after }
            ])
          }
        })
      ))

    it("stores nothing in an unknown vault, and many secrets all or none", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VaultStore
          const nowhere = VaultId.make(crypto.randomUUID())
          assert.isUndefined(yield* store.put(nowhere, [makeSecret("one")]))
          assert.deepStrictEqual(yield* listNames(nowhere), [])
          assert.deepStrictEqual(yield* store.findByNames(nowhere, ["one"]), [])
          assert.deepStrictEqual(yield* store.listByHost([nowhere], "api.example.com"), [])
          const { id } = yield* openVault
          const kept = makeSecret("b")
          yield* store.put(id, [kept])
          const [first, second] = [makeSecret("a"), makeSecret("b")]
          assert.deepStrictEqual(yield* store.put(id, [first, second]), [
            { before: undefined, after: first },
            { before: kept, after: second }
          ])
          assert.deepStrictEqual(yield* listNames(id), ["a", "b"])
          yield* store.close(id)
          assert.isUndefined(yield* store.put(id, [first]))
        })
      ))

    it("finds and removes secrets by name, in one vault only", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VaultStore
          const [{ id }, { id: other }] = [yield* openVault, yield* openVault]
          const [one, two, theirs] = [makeSecret("one"), makeSecret("two"), makeSecret("one")]
          yield* store.put(id, [one, two])
          yield* store.put(other, [theirs])
          const found = yield* store.findByNames(id, ["two", "none", "one", "two"])
          assert.sameDeepMembers(Array.from(found), [one, two])
          assert.deepStrictEqual(yield* store.findByNames(id, []), [])
          const removed = yield* Effect.forEach(
            Array.from({ length: 5 }, () => "one"),
            (name) => store.remove(id, name),
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(
            removed.filter((each) => each !== undefined),
            [one]
          )
          assert.isUndefined(yield* store.remove(id, "none"))
          assert.deepStrictEqual(yield* listNames(id), ["two"])
          const left = yield* store.listByHost([id, other], "api.example.com")
          assert.sameDeepMembers(Array.from(left), [
            { vault: id, secret: two },
            { vault: other, secret: theirs }
          ])
        })
      ))

    it("lists secrets by name in pages, and says whether there are more", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VaultStore
          const { id } = yield* openVault
          // Locale-aware collations sort these names differently.
          const names = ["a_b", "a", "ab", "b", "a1"]
          for (const name of names) yield* store.put(id, [makeSecret(name)])
          const pages = yield* Effect.forEach(
            [
              [0, 5],
              [0, 4],
              [4, 4],
              [1, 2],
              [3, 2],
              [5, 1],
              [10_000, 1]
            ] as const,
            ([offset, limit]) =>
              Effect.map(store.list(id, { offset, limit }), ({ hasMore, rows }) => [
                rows.map(({ name }) => name).join(" "),
                hasMore
              ])
          )
          assert.deepStrictEqual(pages, [
            ["a a1 a_b ab b", false],
            ["a a1 a_b ab", true],
            ["b", false],
            ["a1 a_b", true],
            ["ab b", false],
            ["", false],
            ["", false]
          ])
        })
      ))

    it("lists the secrets for exactly one host in the named vaults", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VaultStore
          const [{ id: own }, { id: lent }, { id: another }] = [
            yield* openVault,
            yield* openVault,
            yield* openVault
          ]
          yield* store.put(own, [
            makeSecret("a", { hosts: ["x.example", "y.example"] }),
            makeSecret("b", { hosts: ["y.example"] }),
            makeSecret("c", { hosts: null, fingerprint: null })
          ])
          yield* store.put(lent, [makeSecret("a", { hosts: ["y.example"] })])
          yield* store.put(another, [makeSecret("d", { hosts: ["x.example"] })])
          const received = (ids: ReadonlyArray<VaultId>, host: string) =>
            Effect.map(store.listByHost(ids, host), sortByLocation)
          assert.deepStrictEqual(yield* received([own], "x.example"), [`${own} a`])
          assert.deepStrictEqual(
            yield* received([own, lent, own], "y.example"),
            [`${own} a`, `${own} b`, `${lent} a`].toSorted()
          )
          for (const host of ["example", "z.x.example", "X.EXAMPLE", "x.example.", "%", ""]) {
            assert.deepStrictEqual(yield* received([own, lent], host), [])
          }
          assert.deepStrictEqual(yield* received([], "x.example"), [])
        })
      ))

    it("keeps one of many secrets stored concurrently under one name, unmixed", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VaultStore
          const { id } = yield* openVault
          const many = Array.from({ length: 10 }, (_, n) =>
            makeSecret("one", { hosts: [`host-${n}.example`] })
          )
          const done = yield* Effect.forEach(many, (each) => store.put(id, [each]), {
            concurrency: "unbounded"
          })
          const { rows } = yield* store.list(id, firstPage)
          assert.strictEqual(rows.length, 1)
          const instances = done.map((put) => put?.[0]?.before?.sealed.ciphertext)
          assert.strictEqual(new Set(instances).size, 10)
          assert.notInclude(instances, rows[0]?.sealed.ciphertext)
          const found = yield* Effect.forEach(many, ({ hosts }) =>
            store.listByHost([id], hosts?.[0] ?? "")
          )
          assert.deepStrictEqual(
            found.flat().map(({ secret }) => secret),
            rows
          )
        })
      ))

    it("leaves no secret in a vault that is closed concurrently", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VaultStore
          const made = yield* openVault
          const { id } = made
          const names = Array.from({ length: 10 }, (_, n) => `secret_${n}`)
          const put = (name: string) =>
            Effect.map(store.put(id, [makeSecret(name)]), (done) =>
              done === undefined ? [] : [name]
            )
          const [before, closed, behind] = yield* Effect.all(
            [
              Effect.forEach(names.slice(0, 5), put, { concurrency: "unbounded" }),
              store.close(id),
              Effect.forEach(names.slice(5), put, { concurrency: "unbounded" })
            ],
            { concurrency: "unbounded" }
          )
          assert.deepStrictEqual(closed?.vault, made)
          assert.sameMembers(
            closed?.secrets.map(({ name }) => name) ?? [],
            [...before, ...behind].flat()
          )
          yield* store.open(made)
          assert.deepStrictEqual(yield* listNames(id), [])
          assert.deepStrictEqual(yield* store.listByHost([id], "api.example.com"), [])
        })
      ))

    it("lists secrets sealed under other keys, and reseals them unless they have changed", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VaultStore
          const { id } = yield* openVault
          const [keyA, keyB] = [crypto.randomUUID(), crypto.randomUUID()]
          const [one, two] = [
            makeSecret("one", { sealed: makeSealed(keyA) }),
            makeSecret("two", { sealed: makeSealed(keyB) })
          ]
          yield* store.put(id, [one, two])
          const otherwise = Effect.map(collectPages(store.listToReseal, keyB), (rows) =>
            rows.filter((row) => row.vault === id)
          )
          assert.deepStrictEqual(yield* otherwise, [{ vault: id, secret: one }])
          assert.strictEqual(
            (yield* store.listToReseal(crypto.randomUUID(), undefined, 1)).length,
            1
          )
          const after = makeSealed(keyB)
          assert.isFalse(yield* store.reseal(id, "one", makeSealed(keyA), after))
          assert.isFalse(yield* store.reseal(id, "one", { ...one.sealed, keyId: keyB }, after))
          assert.isFalse(yield* store.reseal(id, "none", one.sealed, after))
          assert.isTrue(yield* store.reseal(id, "one", one.sealed, after))
          assert.deepStrictEqual(yield* otherwise, [])
          assert.deepStrictEqual((yield* store.list(id, firstPage)).rows, [
            { ...one, sealed: after },
            two
          ])
          assert.strictEqual((yield* store.listByHost([id], "api.example.com")).length, 2)
        })
      ))

    it("keeps one key per vault, replaces it on request, and removes it with the vault", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VaultStore
          const made = yield* openVault
          const { id } = made
          assert.isUndefined(yield* store.findKey(id))
          const [keyA, keyB] = [crypto.randomUUID(), crypto.randomUUID()]
          const drawn = Array.from({ length: 10 }, () => makeSealed(keyA))
          const done = yield* Effect.forEach(
            drawn,
            (key) =>
              Effect.map(store.compareAndSetKey(id, undefined, key), (isKept) =>
                isKept ? [key] : []
              ),
            { concurrency: "unbounded" }
          )
          const [kept, ...others] = done.flat()
          assert.deepStrictEqual(others, [])
          assert.deepStrictEqual(yield* store.findKey(id), kept)
          const otherwise = Effect.map(collectPages(store.listKeysToReseal, keyB), (rows) =>
            rows.filter(({ vault }) => vault === id)
          )
          assert.deepStrictEqual(yield* otherwise, [{ vault: id, key: kept }])
          const after = makeSealed(keyB)
          assert.isFalse(yield* store.compareAndSetKey(id, undefined, after))
          assert.isFalse(yield* store.compareAndSetKey(id, makeSealed(keyA), after))
          assert.isFalse(
            yield* store.compareAndSetKey(VaultId.make(crypto.randomUUID()), undefined, after)
          )
          assert.isTrue(yield* store.compareAndSetKey(id, kept, after))
          assert.deepStrictEqual(yield* store.findKey(id), after)
          assert.deepStrictEqual(yield* otherwise, [])
          // Other changes to the vault leave its key unchanged.
          yield* store.open(made)
          yield* store.put(id, [makeSecret("one")])
          yield* store.remove(id, "one")
          assert.deepStrictEqual(yield* store.findKey(id), after)
          yield* store.close(id)
          assert.isUndefined(yield* store.findKey(id))
          yield* store.open(made)
          assert.isUndefined(yield* store.findKey(id))
        })
      ))

    it("rolls back the writes of a failed transaction", () =>
      run(
        Effect.gen(function* () {
          const store = yield* VaultStore
          const { withTransaction } = yield* Transaction
          const { id } = yield* openVault
          const kept = makeSecret("kept")
          yield* store.put(id, [kept])
          const failing = (write: Effect.Effect<unknown>) =>
            Effect.flip(withTransaction(Effect.andThen(write, Effect.fail("no"))))
          const unmade = makeVault()
          yield* failing(store.open(unmade))
          yield* failing(store.put(id, [makeSecret("kept", { hosts: null }), makeSecret("new")]))
          yield* failing(store.remove(id, "kept"))
          yield* failing(store.reseal(id, "kept", kept.sealed, makeSealed("k2")))
          yield* failing(store.compareAndSetKey(id, undefined, makeSealed("k1")))
          yield* failing(store.close(id))
          assert.isUndefined(yield* store.findKey(id))
          assert.isUndefined(yield* store.find(unmade.id))
          assert.deepStrictEqual((yield* store.list(id, firstPage)).rows, [kept])
          assert.deepStrictEqual(yield* store.listByHost([id], "api.example.com"), [
            { vault: id, secret: kept }
          ])
        })
      ))
  })
}
