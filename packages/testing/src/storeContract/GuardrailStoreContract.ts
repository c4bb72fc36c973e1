/** A test suite for implementations of `GuardrailStore`. */
import {
  type AccountId,
  type Assignment,
  type AssignmentKind,
  Transaction,
  type Guardrail,
  GuardrailStore,
  UserId
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { testQuotas } from "./testQuotas.ts"
import { makeRunTest } from "./makeRunTest.ts"

/** A guardrail with a value in every field. */
export const makeGuardrail = (changes: Partial<Guardrail> = {}): Guardrail => ({
  id: crypto.randomUUID(),
  name: "a guardrail",
  workspace_id: "one",
  description: null,
  allowed_models: ["a/b", "__proto__"],
  allowed_providers: null,
  ignored_models: [],
  ignored_providers: null,
  allowed_data_regions: ["europe"],
  enforce_zdr: false,
  enforce_zdr_anthropic: true,
  enforce_zdr_google: null,
  enforce_zdr_openai: null,
  enforce_zdr_xai: null,
  enforce_zdr_other: null,
  enable_free_model_publication: null,
  enable_free_model_training: false,
  enable_paid_model_training: null,
  limit_usd: 0.1,
  reset_interval: "daily",
  include_byok_in_budgets: false,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
  ...changes
})

const makeAssignment = (
  { id }: Guardrail,
  subject: string,
  kind: AssignmentKind = "key"
): Assignment => ({
  id: crypto.randomUUID(),
  guardrail_id: id,
  kind,
  subject,
  assigned_by: null,
  created_at: "2026-01-02T00:00:00.000Z"
})

const firstPage = { offset: 0, limit: 100 }

const withName = (name: string) => (before: Guardrail) => ({ ...before, name })

const sortById = <A extends { readonly id: string }>(rows: ReadonlyArray<A>) =>
  rows.toSorted((self, that) => self.id.localeCompare(that.id))

/** A new account with these guardrails. */
const makeAccount = Effect.fnUntraced(function* (...guardrails: ReadonlyArray<Guardrail>) {
  const store = yield* GuardrailStore
  const account = fresh.makeAccountId()
  for (const each of guardrails) yield* store.insert(account, each)
  return { store, account }
})

const listKeys = (account: AccountId, { id }: Guardrail) =>
  GuardrailStore.use((store) =>
    Effect.map(store.listAssignments(account, "key", id, firstPage), ({ rows }) =>
      rows.map(({ subject }) => subject)
    )
  )

/** Declares the tests in a vitest file: `GuardrailStoreContract("postgres", layer)`. */
export const GuardrailStoreContract = (
  implementation: string,
  layer: Layer.Layer<GuardrailStore | Transaction, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`GuardrailStore: ${implementation}`, () => {
    testQuotas(
      run,
      "guardrails",
      GuardrailStore.useSync((store) => ({
        count: store.count,
        add: (account, workspace_id) => store.insert(account, makeGuardrail({ workspace_id }))
      }))
    )

    it("unassigns keys from all guardrails, and returns their assignments", () =>
      run(
        Effect.gen(function* () {
          const [one, two] = [makeGuardrail(), makeGuardrail()]
          const { account, store } = yield* makeAccount(one, two)
          const other = yield* makeAccount(one)
          const [a, b, c] = [
            makeAssignment(one, "a"),
            makeAssignment(two, "b"),
            makeAssignment(two, "c")
          ]
          const member = makeAssignment(two, "a", "member")
          yield* store.assign(account, one.id, [a])
          yield* store.assign(account, two.id, [b, c, member])
          yield* store.assign(other.account, one.id, [a])
          assert.deepStrictEqual(
            sortById(yield* store.unassignAll(account, "key", ["a", "b", "nobody"])),
            sortById([a, b])
          )
          assert.deepStrictEqual(yield* store.unassignAll(account, "key", ["a"]), [])
          assert.deepStrictEqual(yield* listKeys(account, one), [])
          assert.deepStrictEqual(yield* listKeys(account, two), ["c"])
          assert.deepStrictEqual(yield* listKeys(other.account, one), ["a"])
          const members = yield* store.listAssignments(account, "member", two.id, firstPage)
          assert.deepStrictEqual(members.rows, [member])
        })
      ))

    it("finds a guardrail by its id, exactly as it was inserted, only for its account", () =>
      run(
        Effect.gen(function* () {
          const [full, plain] = [
            makeGuardrail(),
            makeGuardrail({ limit_usd: null, reset_interval: null })
          ]
          const { account, store } = yield* makeAccount(full, plain)
          assert.deepStrictEqual(yield* store.find(account, full.id), full)
          assert.deepStrictEqual(yield* store.find(account, plain.id), plain)
          assert.isUndefined(yield* store.find(account, crypto.randomUUID()))
          assert.isUndefined(yield* store.find(fresh.makeAccountId(), full.id))
        })
      ))

    it("keeps the first guardrail with an id, and reports that later ones were not inserted", () =>
      run(
        Effect.gen(function* () {
          const first = makeGuardrail()
          const { account, store } = yield* makeAccount(first)
          assert.isFalse(yield* store.insert(account, { ...first, name: "second" }))
          assert.deepStrictEqual(yield* store.find(account, first.id), first)
          const added = yield* Effect.forEach(
            Array.from({ length: 10 }, () => ({ ...first, id: "same" })),
            (each) => store.insert(account, each),
            { concurrency: "unbounded" }
          )
          assert.lengthOf(
            added.filter((isAdded) => isAdded),
            1
          )
        })
      ))

    it("allows the same guardrail id in two accounts", () =>
      run(
        Effect.gen(function* () {
          const [one, other] = [
            makeGuardrail({ id: "same" }),
            makeGuardrail({ id: "same", name: "other" })
          ]
          const { account, store } = yield* makeAccount(one)
          const { account: another } = yield* makeAccount(other)
          yield* store.assign(account, "same", [makeAssignment(one, "key")])
          yield* store.remove(another, "same")
          assert.deepStrictEqual(yield* store.find(account, "same"), one)
          assert.deepStrictEqual(yield* listKeys(account, one), ["key"])
        })
      ))

    it("lists the guardrails of a workspace, oldest first, in pages", () =>
      run(
        Effect.gen(function* () {
          const mine = Array.from({ length: 5 }, () => makeGuardrail())
          const elsewhere = makeGuardrail({ workspace_id: "two" })
          const { account, store } = yield* makeAccount(...mine, elsewhere)
          yield* store.update(account, mine[0]!.id, withName("renamed"))
          const { rows, total } = yield* store.list(account, "one", { offset: 1, limit: 3 })
          assert.deepStrictEqual(rows, mine.slice(1, 4))
          assert.strictEqual(total, 5)
          const beyond = yield* store.list(account, "one", { offset: 5, limit: 3 })
          assert.deepStrictEqual(beyond, { rows: [], total: 5 })
          assert.deepStrictEqual((yield* store.list(account, "two", firstPage)).rows, [elsewhere])
          assert.deepStrictEqual(
            (yield* store.list(fresh.makeAccountId(), "one", firstPage)).rows,
            []
          )
        })
      ))

    it("stores the result of a change, and ignores changes to unknown guardrails", () =>
      run(
        Effect.gen(function* () {
          const before = makeGuardrail()
          const { account, store } = yield* makeAccount(before)
          const after = { ...before, name: "renamed", allowed_models: null, limit_usd: 3 }
          assert.deepStrictEqual(yield* store.update(account, before.id, () => after), after)
          assert.deepStrictEqual(yield* store.find(account, before.id), after)
          assert.isUndefined(yield* store.update(account, crypto.randomUUID(), () => after))
          assert.isUndefined(
            yield* store.update(fresh.makeAccountId(), before.id, withName("stolen"))
          )
          assert.deepStrictEqual(yield* store.find(account, before.id), after)
        })
      ))

    it("keeps all of many concurrent changes", () =>
      run(
        Effect.gen(function* () {
          const before = makeGuardrail({ limit_usd: 1 })
          const { account, store } = yield* makeAccount(before)
          const more = store.update(account, before.id, (each) => ({
            ...each,
            limit_usd: (each.limit_usd ?? 0) + 1
          }))
          yield* Effect.all(
            Array.from({ length: 20 }, () => more),
            { concurrency: "unbounded" }
          )
          assert.strictEqual((yield* store.find(account, before.id))?.limit_usd, 21)
        })
      ))

    it("removes a guardrail with its own assignments only", () =>
      run(
        Effect.gen(function* () {
          const [gone, left] = [makeGuardrail(), makeGuardrail()]
          const { account, store } = yield* makeAccount(gone, left)
          yield* store.assign(account, gone.id, [makeAssignment(gone, "a")])
          yield* store.assign(account, left.id, [makeAssignment(left, "b")])
          assert.deepStrictEqual(yield* store.remove(account, gone.id), gone)
          assert.isUndefined(yield* store.remove(account, gone.id))
          assert.isUndefined(yield* store.find(account, gone.id))
          const { rows } = yield* store.listAssignments(account, "key", undefined, firstPage)
          assert.deepStrictEqual(
            rows.map(({ subject }) => subject),
            ["b"]
          )
          // A guardrail that is inserted again has no assignments.
          yield* store.insert(account, gone)
          assert.deepStrictEqual(yield* listKeys(account, gone), [])
        })
      ))

    it("returns new assignments, and leaves existing ones unchanged", () =>
      run(
        Effect.gen(function* () {
          const one = makeGuardrail()
          const { account, store } = yield* makeAccount(one)
          const [a, b] = [makeAssignment(one, "a"), makeAssignment(one, "b")]
          assert.deepStrictEqual(yield* store.assign(account, one.id, [a]), {
            added: [a],
            replaced: []
          })
          const again = makeAssignment(one, "a")
          assert.deepStrictEqual(yield* store.assign(account, one.id, [again, b]), {
            added: [b],
            replaced: []
          })
          const { rows, total } = yield* store.listAssignments(account, "key", one.id, firstPage)
          assert.deepStrictEqual(rows, [a, b])
          assert.strictEqual(total, 2)
        })
      ))

    it("assigns nothing to an unknown guardrail", () =>
      run(
        Effect.gen(function* () {
          const one = makeGuardrail()
          const { account, store } = yield* makeAccount(one)
          const lost = makeGuardrail()
          assert.isUndefined(yield* store.assign(account, lost.id, [makeAssignment(lost, "a")]))
          assert.isUndefined(
            yield* store.assign(fresh.makeAccountId(), one.id, [makeAssignment(one, "a")])
          )
          const { total } = yield* store.listAssignments(account, "key", undefined, firstPage)
          assert.strictEqual(total, 0)
        })
      ))

    it("replaces the guardrail of a key", () =>
      run(
        Effect.gen(function* () {
          const [one, two] = [makeGuardrail(), makeGuardrail()]
          const { account, store } = yield* makeAccount(one, two)
          const had = [makeAssignment(one, "a"), makeAssignment(one, "c")]
          yield* store.assign(account, one.id, [...had, makeAssignment(one, "b")])
          const given = [
            makeAssignment(two, "a"),
            makeAssignment(two, "c"),
            makeAssignment(two, "new")
          ]
          const assigned = yield* store.assign(account, two.id, given)
          assert.sameDeepMembers([...(assigned?.added ?? [])], given)
          assert.sameDeepMembers([...(assigned?.replaced ?? [])], had)
          assert.deepStrictEqual(yield* listKeys(account, one), ["b"])
          assert.sameMembers([...(yield* listKeys(account, two))], ["a", "c", "new"])
        })
      ))

    it("leaves a key with one guardrail after many concurrent assignments", () =>
      run(
        Effect.gen(function* () {
          const many = Array.from({ length: 10 }, () => makeGuardrail())
          const { account, store } = yield* makeAccount(...many)
          yield* Effect.forEach(
            many,
            (each) => store.assign(account, each.id, [makeAssignment(each, "a")]),
            { concurrency: "unbounded" }
          )
          const { total } = yield* store.listAssignments(account, "key", undefined, firstPage)
          assert.strictEqual(total, 1)
        })
      ))

    it("leaves no assignments to a guardrail that is removed concurrently", () =>
      run(
        Effect.gen(function* () {
          const one = makeGuardrail()
          const { account, store } = yield* makeAccount(one)
          yield* Effect.all(
            [
              ...Array.from({ length: 5 }, (_, at) =>
                store.assign(account, one.id, [makeAssignment(one, `before-${at}`)])
              ),
              store.remove(account, one.id),
              ...Array.from({ length: 5 }, (_, at) =>
                store.assign(account, one.id, [makeAssignment(one, `after-${at}`)])
              )
            ],
            { concurrency: "unbounded" }
          )
          const { total } = yield* store.listAssignments(account, "key", undefined, firstPage)
          assert.strictEqual(total, 0)
        })
      ))

    it("distinguishes a key and a member with the same name", () =>
      run(
        Effect.gen(function* () {
          const [one, two] = [makeGuardrail(), makeGuardrail()]
          const { account, store } = yield* makeAccount(one, two)
          const [key, member] = [makeAssignment(one, "same"), makeAssignment(two, "same", "member")]
          yield* store.assign(account, one.id, [key])
          yield* store.assign(account, two.id, [member])
          assert.deepStrictEqual(yield* store.unassign(account, one.id, "member", ["same"]), [])
          const keys = yield* store.listAssignments(account, "key", undefined, firstPage)
          const members = yield* store.listAssignments(account, "member", undefined, firstPage)
          assert.deepStrictEqual([keys.rows, members.rows], [[key], [member]])
        })
      ))

    it("unassigns the named subjects, and returns each removed assignment once", () =>
      run(
        Effect.gen(function* () {
          const [one, two] = [makeGuardrail(), makeGuardrail()]
          const { account, store } = yield* makeAccount(one, two)
          const a = makeAssignment(one, "a")
          yield* store.assign(account, one.id, [a, makeAssignment(one, "b")])
          yield* store.assign(account, two.id, [makeAssignment(two, "c")])
          const subjects = ["a", "a", "c", "nobody"]
          assert.deepStrictEqual(yield* store.unassign(account, one.id, "key", subjects), [a])
          assert.deepStrictEqual(yield* listKeys(account, one), ["b"])
          assert.deepStrictEqual(yield* listKeys(account, two), ["c"])
          const elsewhere = fresh.makeAccountId()
          assert.deepStrictEqual(yield* store.unassign(elsewhere, one.id, "key", ["b"]), [])
        })
      ))

    it("lists the assignments of one guardrail or of the account in pages", () =>
      run(
        Effect.gen(function* () {
          const [one, two] = [makeGuardrail(), makeGuardrail()]
          const { account, store } = yield* makeAccount(one, two)
          const ofOne = Array.from({ length: 4 }, (_, at) => makeAssignment(one, `a-${at}`))
          const ofTwo = [makeAssignment(two, "b")]
          yield* store.assign(account, one.id, ofOne)
          yield* store.assign(account, two.id, ofTwo)
          const page = { offset: 2, limit: 2 }
          assert.deepStrictEqual(yield* store.listAssignments(account, "key", one.id, page), {
            rows: ofOne.slice(2),
            total: 4
          })
          assert.deepStrictEqual(
            yield* store.listAssignments(account, "key", undefined, { offset: 3, limit: 9 }),
            { rows: [...ofOne.slice(3), ...ofTwo], total: 5 }
          )
          const elsewhere = yield* store.listAssignments(
            fresh.makeAccountId(),
            "key",
            undefined,
            firstPage
          )
          assert.deepStrictEqual(elsewhere, { rows: [], total: 0 })
        })
      ))

    it("lists the guardrails in effect once each: the default, the key's and the member's", () =>
      run(
        Effect.gen(function* () {
          const guardrails = [makeGuardrail(), makeGuardrail(), makeGuardrail()] as const
          const [byDefault, ofKey, ofMember] = guardrails
          const { account, store } = yield* makeAccount(...guardrails, makeGuardrail())
          const [key, user] = [fresh.makeKeyHash(), UserId.make("user")]
          yield* store.assign(account, ofKey.id, [makeAssignment(ofKey, key)])
          yield* store.assign(account, ofMember.id, [makeAssignment(ofMember, user, "member")])
          const all = { defaultGuardrail: byDefault.id, key, member: user }
          assert.deepStrictEqual(yield* store.listEffective(account, all), guardrails)
          assert.deepStrictEqual(
            yield* store.listEffective(account, { defaultGuardrail: "none" }),
            []
          )
          assert.deepStrictEqual(
            yield* store.listEffective(account, {
              defaultGuardrail: "none",
              key: fresh.makeKeyHash(),
              member: user
            }),
            [ofMember]
          )
          assert.deepStrictEqual(yield* store.listEffective(fresh.makeAccountId(), all), [])
          yield* store.assign(account, ofKey.id, [makeAssignment(ofKey, user, "member")])
          assert.deepStrictEqual(yield* store.listEffective(account, all), [byDefault, ofKey])
          const { withTransaction } = yield* Transaction
          yield* Effect.exit(
            withTransaction(
              Effect.gen(function* () {
                yield* store.unassignAll(account, "member", [user])
                assert.deepStrictEqual(yield* store.listEffective(account, all), [byDefault, ofKey])
                yield* store.remove(account, ofKey.id)
                assert.deepStrictEqual(yield* store.listEffective(account, all), [byDefault])
                return yield* Effect.fail("why")
              })
            )
          )
          assert.deepStrictEqual(yield* store.listEffective(account, all), [byDefault, ofKey])
          yield* store.update(account, ofKey.id, withName("renamed"))
          const renamed = { ...ofKey, name: "renamed" }
          assert.deepStrictEqual(yield* store.listEffective(account, all), [byDefault, renamed])
          yield* store.remove(account, byDefault.id)
          assert.deepStrictEqual(yield* store.listEffective(account, all), [renamed])
        })
      ))

    it("rolls back every write of a failed transaction", () =>
      run(
        Effect.gen(function* () {
          const [one, two, added] = [makeGuardrail(), makeGuardrail(), makeGuardrail()]
          const { account, store } = yield* makeAccount(one, two)
          yield* store.assign(account, one.id, [makeAssignment(one, "a"), makeAssignment(one, "b")])
          const seen = Effect.all([
            store.list(account, "one", firstPage),
            store.listAssignments(account, "key", undefined, firstPage)
          ])
          const before = yield* seen
          const { withTransaction } = yield* Transaction
          yield* Effect.exit(
            withTransaction(
              Effect.gen(function* () {
                yield* store.insert(account, added)
                yield* store.assign(account, two.id, [
                  makeAssignment(two, "c"),
                  makeAssignment(two, "a")
                ])
                yield* store.unassign(account, one.id, "key", ["b"])
                yield* store.update(account, two.id, withName("renamed"))
                yield* store.remove(account, one.id)
                return yield* Effect.fail("why")
              })
            )
          )
          const [guardrails, assignments] = yield* seen
          assert.deepStrictEqual(sortById(guardrails.rows), sortById(before[0].rows))
          assert.deepStrictEqual(sortById(assignments.rows), sortById(before[1].rows))
        })
      ))
  })
}
