/** A test suite for implementations of `WorkspaceStore`. */
import {
  type AccountId,
  KeyHash,
  Transaction,
  type Budget,
  type Member,
  type ScopedBudget,
  SlugTaken,
  type Workspace,
  WorkspaceStore
} from "@signalbox/core/stores"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import { settle } from "./settle.ts"
import * as fresh from "./fixtures.ts"
import { testQuotas } from "./testQuotas.ts"
import { makeRunTest } from "./makeRunTest.ts"

const createdAt = "2030-01-02T03:04:05.678Z"
const updatedAt = "2030-02-03T04:05:06.789Z"

const makeWorkspace = (slug: string = `room-${crypto.randomUUID()}`): Workspace => ({
  id: crypto.randomUUID(),
  name: "Räume 😀",
  slug,
  description: null,
  default_image_model: null,
  default_text_model: "a/b",
  default_provider_sort: "latency",
  io_logging_api_key_ids: [1, 281_474_976_710_655],
  io_logging_sampling_rate: 0.0001,
  is_data_discount_logging_enabled: false,
  is_observability_broadcast_enabled: true,
  is_observability_io_logging_enabled: false,
  created_by: "user_1",
  default_guardrail_id: crypto.randomUUID(),
  created_at: createdAt,
  updated_at: createdAt,
  include_byok_in_budgets: false
})
const makeCustomerState = (bundle: string) => ({
  bundle,
  key_hash: KeyHash.make("a".repeat(64)),
  suspended_at: null,
  suspended_reason: null
})
const makeCustomer = (bundle: string): Workspace => ({
  ...makeWorkspace(),
  customer: makeCustomerState(bundle)
})
const makeMember = (of: Workspace, user: string): Member => ({
  id: crypto.randomUUID(),
  workspace_id: of.id,
  user_id: user,
  role: "member",
  created_at: createdAt
})
const makeBudget = (of: Workspace, changes: Partial<Budget> = {}): Budget => ({
  id: crypto.randomUUID(),
  workspace_id: of.id,
  limit_usd: 12.5,
  reset_interval: "daily",
  created_at: createdAt,
  updated_at: createdAt,
  ...changes
})
const makeScopedBudget = (of: Workspace, changes: Partial<ScopedBudget> = {}): ScopedBudget => ({
  ...makeBudget(of),
  name: "Räume 😀",
  scope: { tag: Object.fromEntries([["__proto__", "acme"]]), model: "a/b" },
  soft: true,
  include_byok_in_budgets: false,
  ...changes
})
const firstPage = { offset: 0, limit: 100 }

/** The store with a workspace of an account. */
const insertWorkspace = Effect.gen(function* () {
  const store = yield* WorkspaceStore
  const account = fresh.makeAccountId()
  const made = makeWorkspace()
  yield* store.insert(account, made)
  return { store, account, made }
})

/** All stored workspaces of an account, with their members and budgets. */
const readAccount = Effect.fnUntraced(function* (account: AccountId) {
  const store = yield* WorkspaceStore
  const { rows } = yield* store.list(account, firstPage)
  return yield* Effect.forEach(rows, (row) =>
    Effect.all({
      row: Effect.succeed(row),
      members: Effect.map(store.members(account, row.id, firstPage), (page) => page.rows),
      budgets: store.budgets(account, row.id)
    })
  )
})

/**
 * Declares the tests in a vitest file: `WorkspaceStoreContract("postgres", layer)`. The layer has
 * the port and its transactions.
 */
export const WorkspaceStoreContract = (
  implementation: string,
  layer: Layer.Layer<Transaction | WorkspaceStore, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`WorkspaceStore: ${implementation}`, () => {
    testQuotas(
      run,
      "members",
      WorkspaceStore.useSync((store) => ({
        count: store.countMembers,
        add: (account, id) =>
          store.addMembers(account, [makeMember({ ...makeWorkspace(), id }, crypto.randomUUID())])
      }))
    )
    testQuotas(
      run,
      "workspaces",
      WorkspaceStore.useSync((store) => ({
        count: store.count,
        add: (account) => store.insert(account, makeWorkspace())
      })),
      { areInWorkspaces: false }
    )

    it("finds a workspace by id and by slug, exactly as it was inserted", () =>
      run(
        Effect.gen(function* () {
          const { account, made, store } = yield* insertWorkspace
          assert.deepStrictEqual(yield* store.find(account, made.id), made)
          assert.deepStrictEqual(yield* store.find(account, made.slug), made)
          assert.isUndefined(yield* store.find(account, crypto.randomUUID()))
        })
      ))

    it("finds by id alone, not by slug", () =>
      run(
        Effect.gen(function* () {
          const { account, made, store } = yield* insertWorkspace
          assert.deepStrictEqual(yield* store.findById(account, made.id), made)
          assert.isUndefined(yield* store.findById(account, made.slug))
          assert.isUndefined(yield* store.findById(fresh.makeAccountId(), made.id))
          yield* store.remove(account, made.id)
          assert.isUndefined(yield* store.findById(account, made.id))
        })
      ))

    it("lists the workspaces of an account, oldest first, in pages", () =>
      run(
        Effect.gen(function* () {
          const store = yield* WorkspaceStore
          const [account, another] = [fresh.makeAccountId(), fresh.makeAccountId()]
          const made = Array.from({ length: 3 }, () => makeWorkspace())
          for (const each of made) yield* store.insert(account, each)
          yield* store.insert(another, makeWorkspace())
          assert.deepStrictEqual(yield* store.list(account, firstPage), { rows: made, total: 3 })
          assert.deepStrictEqual(yield* store.list(account, { offset: 1, limit: 1 }), {
            rows: made.slice(1, 2),
            total: 3
          })
          assert.deepStrictEqual((yield* store.list(fresh.makeAccountId(), firstPage)).rows, [])
        })
      ))

    it("lists the workspaces of customers, oldest first, in pages, and their bundles", () =>
      run(
        Effect.gen(function* () {
          const store = yield* WorkspaceStore
          const account = fresh.makeAccountId()
          const [small, large] = [`small-${crypto.randomUUID()}`, `large-${crypto.randomUUID()}`]
          const [one, two, three] = [makeCustomer(small), makeCustomer(small), makeCustomer(small)]
          for (const each of [makeWorkspace(), one, two, three]) yield* store.insert(account, each)
          const list = (page = firstPage) => store.listCustomers(account, page)
          assert.deepStrictEqual(yield* list(), { rows: [one, two, three], total: 3 })
          assert.deepStrictEqual(yield* list({ offset: 1, limit: 1 }), { rows: [two], total: 3 })
          assert.deepStrictEqual(
            (yield* store.listCustomers(fresh.makeAccountId(), firstPage)).rows,
            []
          )
          const listOwn = Effect.map(store.listBundles(), (names) =>
            names.filter((name) => name === small || name === large).toSorted()
          )
          assert.deepStrictEqual(yield* listOwn, [small])
          const customer = makeCustomerState(large)
          yield* store.update(account, one.id, (row) => ({ ...row, customer }))
          assert.deepStrictEqual(yield* listOwn, [large, small].toSorted())
          yield* store.remove(account, one.id)
          assert.deepStrictEqual(yield* listOwn, [small])
          assert.deepStrictEqual(yield* list(), { rows: [two, three], total: 2 })
        })
      ))

    it("neither shows a workspace to another account nor lets it change one", () =>
      run(
        Effect.gen(function* () {
          const { account, made, store } = yield* insertWorkspace
          const another = fresh.makeAccountId()
          yield* store.addMembers(account, [makeMember(made, "ada")])
          yield* store.putBudget(account, makeBudget(made))
          const before = yield* readAccount(account)
          assert.isUndefined(yield* store.find(another, made.id))
          assert.isUndefined(yield* store.find(another, made.slug))
          assert.isUndefined(
            yield* store.update(another, made.id, (row) => ({ ...row, name: "x" }))
          )
          assert.isUndefined(yield* store.remove(another, made.id))
          assert.deepStrictEqual((yield* store.members(another, made.id, firstPage)).rows, [])
          assert.deepStrictEqual(yield* store.removeMembers(another, made.id, ["ada"]), [])
          assert.deepStrictEqual(yield* store.budgets(another, made.id), [])
          assert.isUndefined(yield* store.removeBudget(another, made.id, "daily"))
          assert.deepStrictEqual(yield* readAccount(account), before)
        })
      ))

    it("rejects a slug that is taken in the account, and accepts it in another account", () =>
      run(
        Effect.gen(function* () {
          const store = yield* WorkspaceStore
          const account = fresh.makeAccountId()
          const [first, second] = [makeWorkspace(), makeWorkspace()]
          yield* store.insert(account, first)
          yield* store.insert(account, second)
          const refused = yield* Effect.flip(store.insert(account, makeWorkspace(first.slug)))
          assert.instanceOf(refused, SlugTaken)
          assert.strictEqual(refused.slug, first.slug)
          const changed = yield* Effect.flip(
            store.update(account, second.id, (row) => ({ ...row, slug: first.slug, name: "x" }))
          )
          assert.instanceOf(changed, SlugTaken)
          assert.deepStrictEqual(yield* store.find(account, second.id), second)
          yield* store.insert(fresh.makeAccountId(), makeWorkspace(first.slug))
          yield* store.update(account, first.id, (row) => ({ ...row, name: "same slug" }))
        })
      ))

    it("frees a slug when its workspace is removed or renamed", () =>
      run(
        Effect.gen(function* () {
          const store = yield* WorkspaceStore
          const account = fresh.makeAccountId()
          const [first, second] = [makeWorkspace(), makeWorkspace()]
          yield* store.insert(account, first)
          yield* store.remove(account, first.id)
          assert.isUndefined(yield* store.find(account, first.slug))
          const next = makeWorkspace(first.slug)
          yield* store.insert(account, next)
          assert.deepStrictEqual(yield* store.find(account, first.slug), next)
          yield* store.update(account, next.id, (row) => ({ ...row, slug: second.slug }))
          assert.isUndefined(yield* store.find(account, first.slug))
          assert.strictEqual((yield* store.find(account, second.slug))?.id, next.id)
          yield* store.insert(account, makeWorkspace(first.slug))
        })
      ))

    it("gives a slug to one of many concurrent inserts and updates", () =>
      run(
        Effect.gen(function* () {
          const store = yield* WorkspaceStore
          const account = fresh.makeAccountId()
          const slug = `room-${crypto.randomUUID()}`
          const there = Array.from({ length: 5 }, () => makeWorkspace())
          for (const each of there) yield* store.insert(account, each)
          const exits = yield* Effect.forEach(
            Array.from({ length: 10 }, (_, i) =>
              i % 2 === 0
                ? store.insert(account, makeWorkspace(slug))
                : store.update(account, there[(i - 1) / 2]!.id, (row) => ({ ...row, slug }))
            ),
            (taking) => Effect.exit(Effect.asVoid(taking)),
            { concurrency: "unbounded" }
          )
          assert.lengthOf(exits.filter(Exit.isSuccess), 1)
          const { rows } = yield* store.list(account, firstPage)
          assert.lengthOf(
            rows.filter((row) => row.slug === slug),
            1
          )
        })
      ))

    it("ensures one workspace for many concurrent callers, and returns it to all", () =>
      run(
        Effect.gen(function* () {
          const store = yield* WorkspaceStore
          const account = fresh.makeAccountId()
          const id = crypto.randomUUID()
          const given = yield* Effect.forEach(
            Array.from({ length: 20 }, (_, i) => ({
              ...makeWorkspace("default"),
              id,
              name: `${i}`
            })),
            (each) => store.ensure(account, each),
            { concurrency: "unbounded" }
          )
          const { rows } = yield* store.list(account, firstPage)
          assert.lengthOf(rows, 1)
          assert.lengthOf(given, 20)
          for (const each of given) assert.deepStrictEqual(each, rows[0])
        })
      ))

    it("ensures a workspace for each account, but not one that was deleted", () =>
      run(
        Effect.gen(function* () {
          const store = yield* WorkspaceStore
          const [account, another] = [fresh.makeAccountId(), fresh.makeAccountId()]
          const made = makeWorkspace("default")
          assert.deepStrictEqual(yield* store.ensure(account, made), made)
          assert.deepStrictEqual(yield* store.ensure(another, made), made)
          yield* store.remove(account, made.id)
          assert.isUndefined(yield* store.ensure(account, made))
          assert.isUndefined(yield* store.find(account, made.id))
          assert.deepStrictEqual(yield* store.find(another, made.id), made)
        })
      ))

    it("delays the removal of a workspace until the transaction that holds it ends", () =>
      run(
        Effect.gen(function* () {
          const { withTransaction } = yield* Transaction
          const { account, made, store } = yield* insertWorkspace
          const held = yield* Deferred.make<void>()
          const holding = yield* Effect.forkChild(
            withTransaction(
              store
                .findForUpdate(account, made.id)
                .pipe(
                  Effect.andThen(Deferred.succeed(held, undefined)),
                  Effect.andThen(settle),
                  Effect.andThen(store.findById(account, made.id))
                )
            )
          )
          yield* Deferred.await(held)
          assert.deepStrictEqual(yield* store.remove(account, made.id), made)
          assert.deepStrictEqual(yield* Fiber.join(holding), made)
        })
      ))

    it("rejects holding a workspace that is being removed, or is another account's", () =>
      run(
        Effect.gen(function* () {
          const { withTransaction } = yield* Transaction
          const { account, made, store } = yield* insertWorkspace
          assert.deepStrictEqual(
            yield* withTransaction(store.findForUpdate(account, made.id)),
            made
          )
          assert.isUndefined(
            yield* withTransaction(store.findForUpdate(fresh.makeAccountId(), made.id))
          )
          const removed = yield* Deferred.make<void>()
          const readding = yield* Effect.forkChild(
            withTransaction(
              store
                .remove(account, made.id)
                .pipe(Effect.andThen(Deferred.succeed(removed, undefined)), Effect.andThen(settle))
            )
          )
          yield* Deferred.await(removed)
          assert.isUndefined(yield* withTransaction(store.findForUpdate(account, made.id)))
          yield* Fiber.join(readding)
        })
      ))

    it("leaves no members that were added during the removal", () =>
      run(
        Effect.gen(function* () {
          const { withTransaction } = yield* Transaction
          for (let round = 0; round < 5; round++) {
            const { account, made, store } = yield* insertWorkspace
            const firstAdded = yield* Deferred.make<void>()
            const adding = yield* Effect.forkChild(
              Effect.forEach(
                Array.from({ length: 20 }, (_, n) => makeMember(made, `user-${n}`)),
                (each) =>
                  withTransaction(
                    Effect.gen(function* () {
                      if ((yield* store.findForUpdate(account, made.id)) === undefined) return []
                      yield* settle
                      return yield* store.addMembers(account, [each])
                    })
                  ).pipe(Effect.tap(Deferred.succeed(firstAdded, undefined))),
                { concurrency: 4 }
              )
            )
            yield* Deferred.await(firstAdded)
            assert.deepStrictEqual(yield* store.remove(account, made.id), made)
            const added = (yield* Fiber.join(adding)).flat()
            assert.isNotEmpty(added)
            assert.isBelow(added.length, 20)
            assert.deepStrictEqual((yield* store.members(account, made.id, firstPage)).rows, [])
          }
        })
      ))

    it("keeps all of many concurrent changes", () =>
      run(
        Effect.gen(function* () {
          const store = yield* WorkspaceStore
          const account = fresh.makeAccountId()
          const made = { ...makeWorkspace(), name: "" }
          yield* store.insert(account, made)
          yield* Effect.forEach(
            Array.from({ length: 20 }),
            () => store.update(account, made.id, (row) => ({ ...row, name: `${row.name}x` })),
            { concurrency: "unbounded" }
          )
          assert.strictEqual((yield* store.find(account, made.id))?.name, "x".repeat(20))
        })
      ))

    it("removes the members and budgets of a removed workspace, and no others", () =>
      run(
        Effect.gen(function* () {
          const store = yield* WorkspaceStore
          const account = fresh.makeAccountId()
          const [gone, stays] = [makeWorkspace(), makeWorkspace()]
          for (const each of [gone, stays]) {
            yield* store.insert(account, each)
            yield* store.addMembers(account, [makeMember(each, "ada")])
            yield* store.putBudget(account, makeBudget(each))
            yield* store.scopedBudgets.insert(account, makeScopedBudget(each))
          }
          assert.deepStrictEqual(yield* store.remove(account, gone.id), gone)
          assert.isUndefined(yield* store.remove(account, gone.id))
          assert.deepStrictEqual((yield* store.members(account, gone.id, firstPage)).rows, [])
          assert.deepStrictEqual(yield* store.budgets(account, gone.id), [])
          assert.lengthOf((yield* store.members(account, stays.id, firstPage)).rows, 1)
          assert.lengthOf(yield* store.budgets(account, stays.id), 2)
        })
      ))

    it("keeps each member once, even under concurrent inserts", () =>
      run(
        Effect.gen(function* () {
          const { account, made, store } = yield* insertWorkspace
          const users = ["ada", "__proto__", "ben"]
          const added = yield* Effect.forEach(
            Array.from({ length: 10 }, () => users.map((user) => makeMember(made, user))),
            (members) => store.addMembers(account, members),
            { concurrency: "unbounded" }
          )
          const { rows, total } = yield* store.members(account, made.id, firstPage)
          assert.strictEqual(total, 3)
          assert.sameMembers(
            rows.map(({ user_id }) => user_id),
            users
          )
          assert.sameDeepMembers(added.flat(), [...rows])
          assert.deepStrictEqual(
            (yield* store.members(account, made.id, { offset: 1, limit: 1 })).rows,
            [rows[1]!]
          )
        })
      ))

    it("removes the named members, and returns their number", () =>
      run(
        Effect.gen(function* () {
          const { account, made, store } = yield* insertWorkspace
          const [ada, ben, eve] = [
            makeMember(made, "ada"),
            makeMember(made, "ben"),
            makeMember(made, "eve")
          ]
          yield* store.addMembers(account, [ada, ben, eve])
          const removed = yield* store.removeMembers(account, made.id, ["ada", "ada", "no", "eve"])
          assert.sameDeepMembers([...removed], [ada, eve])
          assert.deepStrictEqual(yield* store.removeMembers(account, made.id, ["ada"]), [])
          const { rows } = yield* store.members(account, made.id, firstPage)
          assert.deepStrictEqual(
            rows.map(({ user_id }) => user_id),
            ["ben"]
          )
        })
      ))

    it("keeps one budget per interval, and its id and age when it changes", () =>
      run(
        Effect.gen(function* () {
          const { account, made, store } = yield* insertWorkspace
          const first = makeBudget(made, { reset_interval: null })
          assert.deepStrictEqual(yield* store.putBudget(account, first), first)
          yield* store.putBudget(account, makeBudget(made))
          const changed = makeBudget(made, {
            reset_interval: null,
            limit_usd: 0.1 + 0.2,
            created_at: updatedAt,
            updated_at: updatedAt
          })
          const expected = { ...changed, id: first.id, created_at: createdAt }
          assert.deepStrictEqual(yield* store.putBudget(account, changed), expected)
          const stored = yield* store.budgets(account, made.id)
          assert.lengthOf(stored, 2)
          assert.deepInclude(stored, expected)
          assert.deepStrictEqual(yield* store.removeBudget(account, made.id, "lifetime"), expected)
          assert.isUndefined(yield* store.removeBudget(account, made.id, "lifetime"))
          assert.lengthOf(yield* store.budgets(account, made.id), 1)
        })
      ))

    it("keeps one budget under concurrent writes", () =>
      run(
        Effect.gen(function* () {
          const { account, made, store } = yield* insertWorkspace
          const put = yield* Effect.forEach(
            Array.from({ length: 10 }, () => makeBudget(made)),
            (each) => store.putBudget(account, each),
            { concurrency: "unbounded" }
          )
          assert.strictEqual(new Set(put.map(({ id }) => id)).size, 1)
          assert.lengthOf(yield* store.budgets(account, made.id), 1)
        })
      ))

    it("lists the budgets of a scope behind those of the intervals", () =>
      run(
        Effect.gen(function* () {
          const { account, made, store } = yield* insertWorkspace
          const { scopedBudgets } = store
          const [first, second] = [makeScopedBudget(made), makeScopedBudget(made, { soft: false })]
          assert.isTrue(yield* scopedBudgets.insert(account, first))
          assert.isFalse(yield* scopedBudgets.insert(account, first))
          assert.isTrue(yield* scopedBudgets.insert(account, second))
          const daily = yield* store.putBudget(account, makeBudget(made))
          const all = yield* store.budgets(account, made.id)
          assert.sameDeepMembers([...all], [daily, first, second])
          assert.deepStrictEqual(yield* scopedBudgets.find(account, second.id), second)
          assert.deepStrictEqual(
            yield* scopedBudgets.list(account, made.id, { offset: 1, limit: 1 }),
            { rows: [second], total: 2 }
          )
          assert.deepStrictEqual((yield* scopedBudgets.list(account, "other", firstPage)).rows, [])
        })
      ))

    it("neither shows the budget of a scope to another account nor lets it change one", () =>
      run(
        Effect.gen(function* () {
          const { account, made, store } = yield* insertWorkspace
          const { scopedBudgets } = store
          const budget = makeScopedBudget(made)
          yield* scopedBudgets.insert(account, budget)
          const other = fresh.makeAccountId()
          assert.isUndefined(yield* scopedBudgets.find(other, budget.id))
          assert.isUndefined(
            yield* scopedBudgets.update(other, budget.id, (row) => ({ ...row, limit_usd: 1 }))
          )
          assert.isUndefined(yield* scopedBudgets.remove(other, budget.id))
          assert.deepStrictEqual(yield* store.budgets(other, made.id), [])
          const changed = { ...budget, limit_usd: 1 }
          assert.deepStrictEqual(
            yield* scopedBudgets.update(account, budget.id, () => changed),
            changed
          )
          assert.deepStrictEqual(yield* store.budgets(account, made.id), [changed])
          assert.deepStrictEqual(yield* scopedBudgets.remove(account, budget.id), changed)
          assert.isUndefined(yield* scopedBudgets.remove(account, budget.id))
          assert.deepStrictEqual(yield* store.budgets(account, made.id), [])
        })
      ))

    it("counts the budgets of a scope for a quota, and no others", () =>
      run(
        Effect.gen(function* () {
          const { account, made, store } = yield* insertWorkspace
          yield* store.putBudget(account, makeBudget(made))
          yield* store.scopedBudgets.insert(account, makeScopedBudget(made))
          assert.strictEqual(yield* store.scopedBudgets.count(account), 1)
          assert.strictEqual(yield* store.scopedBudgets.count(account, made.id), 1)
          assert.strictEqual(yield* store.scopedBudgets.count(account, "other"), 0)
        })
      ))

    it("rolls back every kind of write with its transaction", () =>
      run(
        Effect.gen(function* () {
          const { withTransaction } = yield* Transaction
          const store = yield* WorkspaceStore
          const account = fresh.makeAccountId()
          const [first, second] = [makeWorkspace(), makeWorkspace()]
          const scoped = makeScopedBudget(first)
          for (const each of [first, second]) {
            yield* store.insert(account, each)
            yield* store.addMembers(account, [makeMember(each, "ada"), makeMember(each, "eve")])
            yield* store.putBudget(account, makeBudget(each))
            yield* store.scopedBudgets.insert(
              account,
              each === first ? scoped : makeScopedBudget(each)
            )
          }
          const before = yield* readAccount(account)
          const ensured = makeWorkspace()
          yield* Effect.exit(
            withTransaction(
              Effect.gen(function* () {
                yield* store.update(account, first.id, (row) => ({ ...row, slug: "given-up" }))
                yield* store.addMembers(account, [makeMember(first, "ben")])
                yield* store.removeMembers(account, first.id, ["ada"])
                yield* store.putBudget(account, makeBudget(first, { limit_usd: 1 }))
                yield* store.putBudget(account, makeBudget(first, { reset_interval: "weekly" }))
                yield* store.removeBudget(account, first.id, "daily")
                yield* store.scopedBudgets.insert(account, makeScopedBudget(first))
                yield* store.scopedBudgets.update(account, scoped.id, (row) => ({
                  ...row,
                  limit_usd: 1
                }))
                yield* store.scopedBudgets.remove(account, scoped.id)
                yield* store.remove(account, second.id)
                yield* store.insert(account, makeWorkspace(second.slug))
                yield* store.ensure(account, ensured)
                return yield* Effect.fail("no")
              })
            )
          )
          assert.deepStrictEqual(yield* readAccount(account), before)
          assert.deepStrictEqual(yield* store.find(account, first.slug), first)
          assert.deepStrictEqual(yield* store.find(account, second.slug), second)
          assert.isUndefined(yield* store.find(account, "given-up"))
          // New rows can be inserted afterwards, and released slugs can be taken again.
          assert.deepStrictEqual(yield* store.ensure(account, ensured), ensured)
          assert.instanceOf(
            yield* Effect.flip(store.insert(account, makeWorkspace(first.slug))),
            SlugTaken
          )
        })
      ))
  })
}
