/** A test suite for implementations of `InternStore`. */
import {
  Transaction,
  type Intern,
  InternId,
  type InternStatus,
  InternStore,
  NameTaken,
  NotLendable,
  VaultId,
  WorkspaceId
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Struct from "effect/Struct"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { testOptimisticLock } from "./testOptimisticLock.ts"
import { testQuotas } from "./testQuotas.ts"
import { makeRunTest } from "./makeRunTest.ts"

const internId = (): InternId =>
  InternId.make(`intern_${crypto.randomUUID().replaceAll("-", "").slice(0, 20)}`)

/** An intern of a new account. */
export const makeIntern = (changes: Partial<Intern> = {}): Intern => {
  const { account, user, workspace } = fresh.makeSpender()
  return {
    id: internId(),
    version: 1,
    account,
    workspace,
    creator: user,
    name: `ida-${crypto.randomUUID().slice(0, 8)}`,
    description: null,
    instructions: "日本 🚂 __proto__ \\0",
    model: "proof/chat:free",
    status: "stopped",
    progress: { label: "Starting", step: 1, steps: 2 },
    lastFailureMessage: null,
    hostname: null,
    vault: VaultId.make(crypto.randomUUID()),
    attachedVault: null,
    createdAt: 1_767_225_600_123,
    updatedAt: 1_767_225_600_124,
    creation: {
      key: crypto.randomUUID(),
      fingerprint: "f",
      shouldProvision: false,
      isReady: true,
      failures: 0
    },
    run: {
      number: 3,
      kind: "provision",
      hasRun: true,
      name: "ida",
      model: null,
      instructions: null,
      completedSteps: 1,
      notes: ["vm-1", null]
    },
    claim: { owner: "me", expiresAt: 1_767_225_700_000 },
    ...changes
  }
}

/** Another intern of the same creator. */
const makeSibling = (
  { account, creator, workspace }: Intern,
  changes: Partial<Intern> = {}
): Intern => makeIntern({ account, workspace, creator, ...changes })

const nextVersion = (before: Intern, changes: Partial<Intern>): Intern => ({
  ...before,
  version: before.version + 1,
  ...changes
})

const concurrently = { concurrency: "unbounded" } as const

/** Declares the tests in a vitest file: `InternStoreContract("postgres", layer)`. */
export const InternStoreContract = (
  implementation: string,
  layer: Layer.Layer<Transaction | InternStore, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`InternStore: ${implementation}`, () => {
    testQuotas(
      run,
      "interns",
      InternStore.useSync((store) => ({
        count: store.count,
        add: (account, workspace) =>
          store.add(makeIntern({ account, workspace: WorkspaceId.make(workspace) }))
      }))
    )

    it("stores each intern as it was added", () =>
      run(
        Effect.gen(function* () {
          const store = yield* InternStore
          const one = makeIntern()
          assert.isUndefined(yield* store.find(one.id))
          assert.deepStrictEqual(yield* store.add(one), one)
          assert.deepStrictEqual(yield* store.find(one.id), one)
          assert.deepStrictEqual(yield* store.findByCreationKey(one.creation.key!), one)
          assert.isUndefined(yield* store.findByCreationKey("another"))
        })
      ))

    it("keeps one of several concurrent interns with the same creation key, and returns it to all", () =>
      run(
        Effect.gen(function* () {
          const store = yield* InternStore
          const one = makeIntern()
          const same = Array.from({ length: 20 }, () =>
            makeSibling(one, Struct.pick(one, ["name", "creation"]))
          )
          const kept = yield* Effect.forEach(same, (each) => store.add(each), concurrently)
          assert.strictEqual(new Set(kept.map(({ id }) => id)).size, 1)
          assert.deepStrictEqual(
            yield* Effect.forEach(same, ({ id }) => store.find(id)).pipe(
              Effect.map((found) => found.filter((each) => each !== undefined))
            ),
            kept.slice(0, 1)
          )
        })
      ))

    it("keeps one of several interns with the same name and creator in a workspace", () =>
      run(
        Effect.gen(function* () {
          const store = yield* InternStore
          const one = makeIntern()
          const { name } = one
          const same = Array.from({ length: 10 }, () => makeSibling(one, { name }))
          const ended = yield* Effect.forEach(
            same,
            (each) => Effect.exit(store.add(each)),
            concurrently
          )
          assert.lengthOf(
            ended.filter(({ _tag }) => _tag === "Success"),
            1
          )
          assert.deepStrictEqual(yield* Effect.flip(store.add(one)), new NameTaken({ name }))
          const elsewhere = [
            makeSibling(one, { name, creator: fresh.makeSpender().user }),
            makeSibling(one, { name, workspace: fresh.makeSpender().workspace }),
            makeSibling(one, { name, account: fresh.makeAccountId() })
          ]
          for (const each of elsewhere) assert.deepStrictEqual(yield* store.add(each), each)
        })
      ))

    it("frees a name and a creation key when their intern gives them up or is removed", () =>
      run(
        Effect.gen(function* () {
          const store = yield* InternStore
          const one = makeIntern()
          yield* store.add(one)
          const { key, ...creation } = one.creation
          const after = nextVersion(one, { name: "other", creation })
          assert.isTrue(yield* store.replace(one.version, after))
          assert.isUndefined(yield* store.findByCreationKey(key!))
          const two = makeSibling(one, Struct.pick(one, ["name", "creation"]))
          assert.deepStrictEqual(yield* store.add(two), two)
          assert.isTrue(yield* store.remove(two.version, two.id))
          const three = makeSibling(one, Struct.pick(one, ["name", "creation"]))
          assert.deepStrictEqual(yield* store.add(three), three)
          assert.deepStrictEqual(yield* store.findByCreationKey(key!), three)
        })
      ))

    testOptimisticLock(
      run,
      InternStore.useSync((store) => {
        const before = makeIntern()
        const after = nextVersion(before, { status: "running", hostname: "ida.example" })
        return { store, before, after: Struct.omit(after, ["claim"]) }
      })
    )

    it("rejects a taken name without failing the surrounding transaction", () =>
      run(
        Effect.gen(function* () {
          const store = yield* InternStore
          const { withTransaction } = yield* Transaction
          const [one, other] = [makeIntern(), makeIntern()]
          const two = makeSibling(one)
          yield* Effect.forEach([one, two, other], store.add)
          const { name } = one
          const renamed = yield* withTransaction(
            Effect.gen(function* () {
              const clash = yield* Effect.flip(store.replace(1, nextVersion(two, { name })))
              const isDone = yield* store.replace(1, nextVersion(other, { name }))
              return { clash, isDone }
            })
          )
          assert.deepStrictEqual(renamed, { clash: new NameTaken({ name }), isDone: true })
          assert.deepStrictEqual(yield* store.find(two.id), two)
          assert.strictEqual((yield* store.find(other.id))?.name, name)
          assert.isTrue(yield* store.replace(1, nextVersion(one, { name, status: "queued" })))
        })
      ))

    it("finds an intern by its current hostname", () =>
      run(
        Effect.gen(function* () {
          const store = yield* InternStore
          const hostname = `${crypto.randomUUID()}.interns.example`
          const one = makeIntern({ hostname })
          yield* store.add(one)
          assert.deepStrictEqual(yield* store.findByHostname(hostname), one)
          yield* store.replace(1, nextVersion(one, { hostname: `new-${hostname}` }))
          assert.isUndefined(yield* store.findByHostname(hostname))
          assert.strictEqual((yield* store.findByHostname(`new-${hostname}`))?.id, one.id)
          yield* store.remove(2, one.id)
          assert.isUndefined(yield* store.findByHostname(`new-${hostname}`))
        })
      ))

    it("finds the latest of several interns with the same hostname", () =>
      run(
        Effect.gen(function* () {
          const store = yield* InternStore
          const hostname = `${crypto.randomUUID()}.interns.example`
          const [one, two] = [makeIntern({ hostname }), makeIntern({ hostname })]
          yield* Effect.forEach([one, two], store.add)
          assert.deepStrictEqual(yield* store.findByHostname(hostname), two)
        })
      ))

    it("lends the vault only of another intern in the same workspace", () =>
      run(
        Effect.gen(function* () {
          const store = yield* InternStore
          const lender = makeIntern()
          const { vault } = lender
          const refused = new NotLendable({ vault })
          const borrower = makeSibling(lender, { attachedVault: vault })
          assert.deepStrictEqual(yield* Effect.flip(store.add(borrower)), refused)
          assert.isUndefined(yield* store.find(borrower.id))
          yield* store.add(lender)
          const strangers = [
            makeIntern({ attachedVault: vault, account: lender.account }),
            makeIntern({ attachedVault: vault, workspace: lender.workspace })
          ]
          for (const each of strangers) {
            assert.deepStrictEqual(yield* Effect.flip(store.add(each)), refused)
          }
          assert.deepStrictEqual(yield* store.add(borrower), borrower)
        })
      ))

    it("detaches a vault from all borrowers when its intern is removed, even from a concurrent write", () =>
      run(
        Effect.gen(function* () {
          const store = yield* InternStore
          const lender = makeIntern()
          const [one, two] = [
            makeSibling(lender, { attachedVault: lender.vault }),
            makeSibling(lender, { attachedVault: lender.vault })
          ]
          yield* Effect.forEach([lender, one, two], store.add)
          assert.isFalse(yield* store.remove(2, lender.id))
          assert.deepStrictEqual(yield* store.find(one.id), one)
          assert.isTrue(yield* store.remove(1, lender.id))
          assert.isFalse(yield* store.remove(1, lender.id))
          assert.isUndefined(yield* store.find(lender.id))
          assert.deepStrictEqual(yield* store.find(one.id), { ...one, attachedVault: null })
          // Read before its lender was removed.
          assert.isTrue(yield* store.replace(1, nextVersion(two, { status: "running" })))
          assert.isNull((yield* store.find(two.id))?.attachedVault)
        })
      ))

    it(
      "leaves no removed vault attached, for both orders of removal and insertion",
      { timeout: 120_000 },
      () =>
        run(
          Effect.gen(function* () {
            const store = yield* InternStore
            for (let round = 0; round < 20; round++) {
              const lender = makeIntern()
              yield* store.add(lender)
              const borrowers = Array.from({ length: 4 }, () =>
                makeSibling(lender, { attachedVault: lender.vault })
              )
              yield* Effect.all(
                [
                  store.remove(1, lender.id),
                  ...borrowers.map((each) => Effect.exit(store.add(each)))
                ],
                concurrently
              )
              const kept = yield* Effect.forEach(borrowers, ({ id }) => store.find(id))
              assert.deepStrictEqual(
                kept.filter((each) => each !== undefined && each.attachedVault !== null),
                []
              )
            }
          })
        )
    )

    it("lists the interns of a workspace by status, newest first", () =>
      run(
        Effect.gen(function* () {
          const store = yield* InternStore
          const a = makeIntern()
          const b = makeSibling(a, { status: "running" })
          const c = makeSibling(a, { status: "failed", creator: fresh.makeSpender().user })
          const strangers = [
            makeIntern({ account: a.account }),
            makeIntern({ workspace: a.workspace })
          ]
          yield* Effect.forEach([a, b, ...strangers, c], store.add)
          const done = nextVersion(a, { status: "running" })
          yield* store.replace(1, done)
          const { workspace } = a
          const list = (...statuses: ReadonlyArray<InternStatus>) =>
            store.list(a.account, { workspace, statuses }, { limit: 10 })
          const all = yield* store.list(a.account, { workspace }, { limit: 10 })
          assert.deepStrictEqual(all, { rows: [c, b, done] })
          assert.deepStrictEqual(yield* list(), { rows: [] })
          assert.deepStrictEqual(yield* list("running"), { rows: [b, done] })
          assert.deepStrictEqual(yield* list("running", "failed"), { rows: [c, b, done] })
          assert.deepStrictEqual(yield* list("failed", "queued", "stopped"), { rows: [c] })
        })
      ))

    it("lists consistent pages when interns are added, updated and removed between them", () =>
      run(
        Effect.gen(function* () {
          const store = yield* InternStore
          const e = makeIntern()
          const [d, c, b, a] = [
            makeSibling(e),
            makeSibling(e, { status: "running" }),
            makeSibling(e),
            makeSibling(e, { status: "running" })
          ]
          yield* Effect.forEach([e, d, c, b, a], store.add)
          const { account, workspace } = e
          const filter = { workspace, statuses: ["running", "stopped"] } as const
          for (const each of [filter, { workspace }]) {
            const first = yield* store.list(account, each, { limit: 2 })
            assert.deepStrictEqual(first.rows, [a, b])
            const after = first.nextCursor!
            const second = yield* store.list(account, each, { limit: 2, after })
            assert.deepStrictEqual(second.rows, [c, d])
            const last = yield* store.list(account, each, { limit: 2, after: second.nextCursor! })
            assert.deepStrictEqual(last, { rows: [e] })
          }
          const first = yield* store.list(account, filter, { limit: 2 })
          yield* store.add(makeSibling(e))
          yield* store.remove(1, c.id)
          const failed = nextVersion(d, { status: "failed" })
          yield* store.replace(1, failed)
          assert.deepStrictEqual(
            yield* store.list(account, filter, { limit: 2, after: first.nextCursor! }),
            { rows: [e] }
          )
          assert.deepStrictEqual(
            yield* store.list(account, { workspace }, { limit: 2, after: first.nextCursor! }),
            { rows: [failed, e] }
          )
        })
      ))

    it("rolls back the writes of a failed transaction", () =>
      run(
        Effect.gen(function* () {
          const store = yield* InternStore
          const { withTransaction } = yield* Transaction
          const kept = makeIntern({ hostname: `${crypto.randomUUID()}.example` })
          const borrower = makeSibling(kept, { attachedVault: kept.vault })
          yield* Effect.forEach([kept, borrower], store.add)
          const other = makeIntern()
          const failing = (write: Effect.Effect<unknown, unknown>) =>
            Effect.flip(withTransaction(Effect.andThen(write, Effect.fail("no"))))
          yield* failing(store.add(other))
          yield* failing(store.replace(1, nextVersion(kept, { name: "other", hostname: null })))
          yield* failing(store.remove(1, kept.id))
          assert.isUndefined(yield* store.find(other.id))
          assert.isUndefined(yield* store.findByCreationKey(other.creation.key!))
          assert.deepStrictEqual(yield* store.find(kept.id), kept)
          assert.deepStrictEqual(yield* store.find(borrower.id), borrower)
          assert.deepStrictEqual(yield* store.findByHostname(kept.hostname!), kept)
          const { name } = kept
          assert.strictEqual(
            (yield* Effect.flip(store.add(makeSibling(kept, { name }))))._tag,
            "NameTaken"
          )
        })
      ))
  })
}
