/** What every `GuardrailStore` must do. */
import {
  type AccountId,
  type Assignment,
  type AssignmentKind,
  Atomically,
  type Guardrail,
  GuardrailStore,
  UserId
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fresh.ts"
import { keepingQuotas } from "./keepingQuotas.ts"
import { runOn } from "./runOn.ts"

const guardrail = (changes: Partial<Guardrail> = {}): Guardrail => ({
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

const assignment = (
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

const all = { offset: 0, limit: 100 }

const named = (name: string) => (before: Guardrail) => ({ ...before, name })

const inAnyOrder = <A extends { readonly id: string }>(rows: ReadonlyArray<A>) =>
  rows.toSorted((self, that) => self.id.localeCompare(that.id))

/** An account with these guardrails. */
const accountWith = Effect.fnUntraced(function* (...guardrails: ReadonlyArray<Guardrail>) {
  const store = yield* GuardrailStore
  const account = fresh.account()
  for (const each of guardrails) yield* store.insert(account, each)
  return { store, account }
})

const keysOf = (account: AccountId, { id }: Guardrail) =>
  GuardrailStore.use((store) =>
    Effect.map(store.assignments(account, "key", id, all), ({ rows }) =>
      rows.map(({ subject }) => subject)
    )
  )

/** Declares the tests in a vitest file: `GuardrailStoreContract("postgres", layer)`. */
export const GuardrailStoreContract = (
  implementation: string,
  layer: Layer.Layer<GuardrailStore | Atomically, unknown>
): void => {
  const run = runOn(layer)
  describe(`GuardrailStore: ${implementation}`, () => {
    keepingQuotas(
      run,
      "guardrails",
      GuardrailStore.useSync((store) => ({
        count: store.count,
        add: (account, workspace_id) => store.insert(account, guardrail({ workspace_id }))
      }))
    )

    it("releases keys from whatever guardrail they have, and says from which", () =>
      run(
        Effect.gen(function* () {
          const [one, two] = [guardrail(), guardrail()]
          const { account, store } = yield* accountWith(one, two)
          const other = yield* accountWith(one)
          const [a, b, c] = [assignment(one, "a"), assignment(two, "b"), assignment(two, "c")]
          const member = assignment(two, "a", "member")
          yield* store.assign(account, one.id, [a])
          yield* store.assign(account, two.id, [b, c, member])
          yield* store.assign(other.account, one.id, [a])
          assert.deepStrictEqual(
            inAnyOrder(yield* store.release(account, "key", ["a", "b", "nobody"])),
            inAnyOrder([a, b])
          )
          assert.deepStrictEqual(yield* store.release(account, "key", ["a"]), [])
          assert.deepStrictEqual(yield* keysOf(account, one), [])
          assert.deepStrictEqual(yield* keysOf(account, two), ["c"])
          assert.deepStrictEqual(yield* keysOf(other.account, one), ["a"])
          const members = yield* store.assignments(account, "member", two.id, all)
          assert.deepStrictEqual(members.rows, [member])
        })
      ))

    it("finds a guardrail by its id, exactly as it was inserted, and only for its account", () =>
      run(
        Effect.gen(function* () {
          const [full, plain] = [guardrail(), guardrail({ limit_usd: null, reset_interval: null })]
          const { account, store } = yield* accountWith(full, plain)
          assert.deepStrictEqual(yield* store.find(account, full.id), full)
          assert.deepStrictEqual(yield* store.find(account, plain.id), plain)
          assert.isUndefined(yield* store.find(account, crypto.randomUUID()))
          assert.isUndefined(yield* store.find(fresh.account(), full.id))
        })
      ))

    it("keeps the first of those inserted with one id, and tells who was first", () =>
      run(
        Effect.gen(function* () {
          const first = guardrail()
          const { account, store } = yield* accountWith(first)
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

    it("lets two accounts have guardrails of one id", () =>
      run(
        Effect.gen(function* () {
          const [one, other] = [guardrail({ id: "same" }), guardrail({ id: "same", name: "other" })]
          const { account, store } = yield* accountWith(one)
          const { account: another } = yield* accountWith(other)
          yield* store.assign(account, "same", [assignment(one, "key")])
          yield* store.remove(another, "same")
          assert.deepStrictEqual(yield* store.find(account, "same"), one)
          assert.deepStrictEqual(yield* keysOf(account, one), ["key"])
        })
      ))

    it("lists those of a workspace, oldest first, a page at a time", () =>
      run(
        Effect.gen(function* () {
          const mine = Array.from({ length: 5 }, () => guardrail())
          const elsewhere = guardrail({ workspace_id: "two" })
          const { account, store } = yield* accountWith(...mine, elsewhere)
          yield* store.update(account, mine[0]!.id, named("renamed"))
          const { rows, total } = yield* store.list(account, "one", { offset: 1, limit: 3 })
          assert.deepStrictEqual(rows, mine.slice(1, 4))
          assert.strictEqual(total, 5)
          const beyond = yield* store.list(account, "one", { offset: 5, limit: 3 })
          assert.deepStrictEqual(beyond, { rows: [], total: 5 })
          assert.deepStrictEqual((yield* store.list(account, "two", all)).rows, [elsewhere])
          assert.deepStrictEqual((yield* store.list(fresh.account(), "one", all)).rows, [])
        })
      ))

    it("makes of a guardrail what a change says, and nothing of one that is not there", () =>
      run(
        Effect.gen(function* () {
          const before = guardrail()
          const { account, store } = yield* accountWith(before)
          const after = { ...before, name: "renamed", allowed_models: null, limit_usd: 3 }
          assert.deepStrictEqual(yield* store.update(account, before.id, () => after), after)
          assert.deepStrictEqual(yield* store.find(account, before.id), after)
          assert.isUndefined(yield* store.update(account, crypto.randomUUID(), () => after))
          assert.isUndefined(yield* store.update(fresh.account(), before.id, named("stolen")))
          assert.deepStrictEqual(yield* store.find(account, before.id), after)
        })
      ))

    it("loses no change of many made at once", () =>
      run(
        Effect.gen(function* () {
          const before = guardrail({ limit_usd: 1 })
          const { account, store } = yield* accountWith(before)
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

    it("removes a guardrail with its assignments, and no other's", () =>
      run(
        Effect.gen(function* () {
          const [gone, left] = [guardrail(), guardrail()]
          const { account, store } = yield* accountWith(gone, left)
          yield* store.assign(account, gone.id, [assignment(gone, "a")])
          yield* store.assign(account, left.id, [assignment(left, "b")])
          assert.deepStrictEqual(yield* store.remove(account, gone.id), gone)
          assert.isUndefined(yield* store.remove(account, gone.id))
          assert.isUndefined(yield* store.find(account, gone.id))
          const { rows } = yield* store.assignments(account, "key", undefined, all)
          assert.deepStrictEqual(
            rows.map(({ subject }) => subject),
            ["b"]
          )
          // Nobody is back under it when it is there again.
          yield* store.insert(account, gone)
          assert.deepStrictEqual(yield* keysOf(account, gone), [])
        })
      ))

    it("gives the assignments that are new, and leaves those that were there as they are", () =>
      run(
        Effect.gen(function* () {
          const one = guardrail()
          const { account, store } = yield* accountWith(one)
          const [a, b] = [assignment(one, "a"), assignment(one, "b")]
          assert.deepStrictEqual(yield* store.assign(account, one.id, [a]), {
            added: [a],
            replaced: []
          })
          const again = assignment(one, "a")
          assert.deepStrictEqual(yield* store.assign(account, one.id, [again, b]), {
            added: [b],
            replaced: []
          })
          const { rows, total } = yield* store.assignments(account, "key", one.id, all)
          assert.deepStrictEqual(rows, [a, b])
          assert.strictEqual(total, 2)
        })
      ))

    it("assigns nobody to a guardrail that is not there", () =>
      run(
        Effect.gen(function* () {
          const one = guardrail()
          const { account, store } = yield* accountWith(one)
          const lost = guardrail()
          assert.isUndefined(yield* store.assign(account, lost.id, [assignment(lost, "a")]))
          assert.isUndefined(yield* store.assign(fresh.account(), one.id, [assignment(one, "a")]))
          const { total } = yield* store.assignments(account, "key", undefined, all)
          assert.strictEqual(total, 0)
        })
      ))

    it("gives a key another guardrail in the place of the one it had", () =>
      run(
        Effect.gen(function* () {
          const [one, two] = [guardrail(), guardrail()]
          const { account, store } = yield* accountWith(one, two)
          const had = [assignment(one, "a"), assignment(one, "c")]
          yield* store.assign(account, one.id, [...had, assignment(one, "b")])
          const given = [assignment(two, "a"), assignment(two, "c"), assignment(two, "new")]
          const assigned = yield* store.assign(account, two.id, given)
          assert.sameDeepMembers([...(assigned?.added ?? [])], given)
          assert.sameDeepMembers([...(assigned?.replaced ?? [])], had)
          assert.deepStrictEqual(yield* keysOf(account, one), ["b"])
          assert.sameMembers([...(yield* keysOf(account, two))], ["a", "c", "new"])
        })
      ))

    it("leaves a key with one guardrail, however many are assigned to it at once", () =>
      run(
        Effect.gen(function* () {
          const many = Array.from({ length: 10 }, () => guardrail())
          const { account, store } = yield* accountWith(...many)
          yield* Effect.forEach(
            many,
            (each) => store.assign(account, each.id, [assignment(each, "a")]),
            { concurrency: "unbounded" }
          )
          const { total } = yield* store.assignments(account, "key", undefined, all)
          assert.strictEqual(total, 1)
        })
      ))

    it("leaves nobody assigned to a guardrail that is removed at the same time", () =>
      run(
        Effect.gen(function* () {
          const one = guardrail()
          const { account, store } = yield* accountWith(one)
          yield* Effect.all(
            [
              ...Array.from({ length: 5 }, (_, at) =>
                store.assign(account, one.id, [assignment(one, `before-${at}`)])
              ),
              store.remove(account, one.id),
              ...Array.from({ length: 5 }, (_, at) =>
                store.assign(account, one.id, [assignment(one, `after-${at}`)])
              )
            ],
            { concurrency: "unbounded" }
          )
          const { total } = yield* store.assignments(account, "key", undefined, all)
          assert.strictEqual(total, 0)
        })
      ))

    it("takes a key and a member of one name for two", () =>
      run(
        Effect.gen(function* () {
          const [one, two] = [guardrail(), guardrail()]
          const { account, store } = yield* accountWith(one, two)
          const [key, member] = [assignment(one, "same"), assignment(two, "same", "member")]
          yield* store.assign(account, one.id, [key])
          yield* store.assign(account, two.id, [member])
          assert.deepStrictEqual(yield* store.unassign(account, one.id, "member", ["same"]), [])
          const keys = yield* store.assignments(account, "key", undefined, all)
          const members = yield* store.assignments(account, "member", undefined, all)
          assert.deepStrictEqual([keys.rows, members.rows], [[key], [member]])
        })
      ))

    it("takes a guardrail from those who have it, and gives each assignment once", () =>
      run(
        Effect.gen(function* () {
          const [one, two] = [guardrail(), guardrail()]
          const { account, store } = yield* accountWith(one, two)
          const a = assignment(one, "a")
          yield* store.assign(account, one.id, [a, assignment(one, "b")])
          yield* store.assign(account, two.id, [assignment(two, "c")])
          const subjects = ["a", "a", "c", "nobody"]
          assert.deepStrictEqual(yield* store.unassign(account, one.id, "key", subjects), [a])
          assert.deepStrictEqual(yield* keysOf(account, one), ["b"])
          assert.deepStrictEqual(yield* keysOf(account, two), ["c"])
          const elsewhere = fresh.account()
          assert.deepStrictEqual(yield* store.unassign(elsewhere, one.id, "key", ["b"]), [])
        })
      ))

    it("tells assignments a page at a time, of one guardrail or of all of the account", () =>
      run(
        Effect.gen(function* () {
          const [one, two] = [guardrail(), guardrail()]
          const { account, store } = yield* accountWith(one, two)
          const ofOne = Array.from({ length: 4 }, (_, at) => assignment(one, `a-${at}`))
          const ofTwo = [assignment(two, "b")]
          yield* store.assign(account, one.id, ofOne)
          yield* store.assign(account, two.id, ofTwo)
          const page = { offset: 2, limit: 2 }
          assert.deepStrictEqual(yield* store.assignments(account, "key", one.id, page), {
            rows: ofOne.slice(2),
            total: 4
          })
          assert.deepStrictEqual(
            yield* store.assignments(account, "key", undefined, { offset: 3, limit: 9 }),
            { rows: [...ofOne.slice(3), ...ofTwo], total: 5 }
          )
          const elsewhere = yield* store.assignments(fresh.account(), "key", undefined, all)
          assert.deepStrictEqual(elsewhere, { rows: [], total: 0 })
        })
      ))

    it("tells what requests are under: the default, the key's, the member's, each once", () =>
      run(
        Effect.gen(function* () {
          const guardrails = [guardrail(), guardrail(), guardrail()] as const
          const [byDefault, ofKey, ofMember] = guardrails
          const { account, store } = yield* accountWith(...guardrails, guardrail())
          const [key, user] = [fresh.keyHash(), UserId.make("user")]
          yield* store.assign(account, ofKey.id, [assignment(ofKey, key)])
          yield* store.assign(account, ofMember.id, [assignment(ofMember, user, "member")])
          const all = { byDefault: byDefault.id, key, member: user }
          assert.deepStrictEqual(yield* store.effective(account, all), guardrails)
          assert.deepStrictEqual(yield* store.effective(account, { byDefault: "none" }), [])
          assert.deepStrictEqual(
            yield* store.effective(account, {
              byDefault: "none",
              key: fresh.keyHash(),
              member: user
            }),
            [ofMember]
          )
          assert.deepStrictEqual(yield* store.effective(fresh.account(), all), [])
          yield* store.assign(account, ofKey.id, [assignment(ofKey, user, "member")])
          assert.deepStrictEqual(yield* store.effective(account, all), [byDefault, ofKey])
        })
      ))

    it("undoes every write of an atomic effect that fails", () =>
      run(
        Effect.gen(function* () {
          const [one, two, added] = [guardrail(), guardrail(), guardrail()]
          const { account, store } = yield* accountWith(one, two)
          yield* store.assign(account, one.id, [assignment(one, "a"), assignment(one, "b")])
          const seen = Effect.all([
            store.list(account, "one", all),
            store.assignments(account, "key", undefined, all)
          ])
          const before = yield* seen
          const { atomically } = yield* Atomically
          yield* Effect.exit(
            atomically(
              Effect.gen(function* () {
                yield* store.insert(account, added)
                yield* store.assign(account, two.id, [assignment(two, "c"), assignment(two, "a")])
                yield* store.unassign(account, one.id, "key", ["b"])
                yield* store.update(account, two.id, named("renamed"))
                yield* store.remove(account, one.id)
                return yield* Effect.fail("why")
              })
            )
          )
          const [guardrails, assignments] = yield* seen
          assert.deepStrictEqual(inAnyOrder(guardrails.rows), inAnyOrder(before[0].rows))
          assert.deepStrictEqual(inAnyOrder(assignments.rows), inAnyOrder(before[1].rows))
        })
      ))
  })
}
