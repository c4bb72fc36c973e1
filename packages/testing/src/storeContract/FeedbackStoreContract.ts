/** A test suite for implementations of `FeedbackStore`. */
import {
  type AccountId,
  defaultWorkspaceId,
  type Feedback,
  FeedbackStore,
  type Generation,
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
const page = { limit: 100 }

const makeFeedback = (
  account: AccountId,
  changes: Partial<Feedback> = {},
  generation: Partial<Generation> = {}
): Feedback => ({
  category: "other",
  givenBy: {},
  givenAt: now,
  ...changes,
  generation: {
    id: fresh.makeGenerationId(),
    account,
    workspace: defaultWorkspaceId,
    operation: "chat",
    startedAt: now,
    latencyMillis: 1,
    requestedModel: "a/b",
    configuration: 1,
    attempts: [],
    rejected: [],
    demoted: [],
    ...generation
  }
})

/** Declares the tests in a vitest file: `FeedbackStoreContract("postgres", layer)`. */
export const FeedbackStoreContract = (
  implementation: string,
  layer: Layer.Layer<Stores, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`FeedbackStore: ${implementation}`, () => {
    it("lists feedback exactly as it was given, newest first, to its account alone", () =>
      run(
        Effect.gen(function* () {
          const store = yield* FeedbackStore
          const account = fresh.makeAccountId()
          const full = makeFeedback(
            account,
            {
              category: "formatting",
              comment: "ä😀\u0000",
              givenBy: { user: "ada", key: "key" }
            },
            {
              user: UserId.make("ada"),
              externalUser: "bob",
              tags: { customer: "acme" },
              attempts: [{ endpoint: "e", provider: "p", outcome: "served", latencyMillis: 1 }]
            }
          )
          const least = makeFeedback(account)
          assert.isUndefined(yield* store.give(full))
          assert.isUndefined(yield* store.give(least))
          assert.deepStrictEqual((yield* store.list({ account }, page)).rows, [least, full])
          const first = yield* store.list({ account }, { limit: 1 })
          assert.deepStrictEqual(first.rows, [least])
          const second = yield* store.list({ account }, { limit: 1, after: first.nextCursor! })
          assert.deepStrictEqual(second.rows, [full])
          const selected = yield* store.list({ account, category: "formatting" }, page)
          assert.deepStrictEqual(selected.rows, [full])
          const ofOne = yield* store.list({ account, generation: least.generation.id }, page)
          assert.deepStrictEqual(ofOne.rows, [least])
          assert.deepStrictEqual(
            (yield* store.list({ account: fresh.makeAccountId() }, page)).rows,
            []
          )
        })
      ))

    it("keeps one of a category for each generation, also of several given at once", () =>
      run(
        Effect.gen(function* () {
          const store = yield* FeedbackStore
          const account = fresh.makeAccountId()
          const first = makeFeedback(account, { comment: "first" })
          const again = { ...first, comment: "again", givenAt: now + 1 }
          const another: Feedback = { ...first, category: "latency" }
          yield* store.give(first)
          assert.deepStrictEqual(yield* store.give(again), first)
          assert.isUndefined(yield* store.give(another))
          yield* Effect.forEach(Array.from({ length: 5 }), () => store.give(again), {
            concurrency: "unbounded"
          })
          assert.deepStrictEqual((yield* store.list({ account }, page)).rows, [another, again])
        })
      ))

    it("lists what requests of a time, or of an experiment, got", () =>
      run(
        Effect.gen(function* () {
          const store = yield* FeedbackStore
          const account = fresh.makeAccountId()
          const id = crypto.randomUUID().slice(0, 8)
          const early = makeFeedback(account, {}, { startedAt: now - 1 })
          const canary = makeFeedback(account, {}, { experiment: { id, arm: "canary" } })
          const foreign = makeFeedback(
            fresh.makeAccountId(),
            {},
            { experiment: { id, arm: "control" } }
          )
          for (const each of [early, canary, foreign]) yield* store.give(each)
          assert.deepStrictEqual(yield* store.listByTime(account, now - 1, now), [early])
          assert.deepStrictEqual(yield* store.listByTime(account, now, now + 1), [canary])
          assert.sameDeepMembers([...(yield* store.listByExperiment(id, now))], [canary, foreign])
          assert.deepStrictEqual(yield* store.listByExperiment(id, now + 1), [])
        })
      ))

    it("removes what a workspace has, and what is old, unless its transaction fails", () =>
      run(
        Effect.gen(function* () {
          const store = yield* FeedbackStore
          const { withTransaction } = yield* Transaction
          const account = fresh.makeAccountId()
          const workspace = WorkspaceId.make(crypto.randomUUID())
          const own = makeFeedback(account, {}, { workspace })
          const old = makeFeedback(account, { givenAt: 1 })
          const rest = makeFeedback(account, { givenAt: 2 })
          for (const each of [own, old, rest]) yield* store.give(each)
          yield* Effect.ignore(
            withTransaction(Effect.andThen(store.remove(account, workspace), Effect.fail("undone")))
          )
          assert.lengthOf((yield* store.list({ account }, page)).rows, 3)
          assert.strictEqual(yield* store.remove(account, workspace), 1)
          assert.strictEqual(yield* store.remove(account, workspace), 0)
          yield* store.purge(2)
          assert.deepStrictEqual((yield* store.list({ account }, page)).rows, [rest])
        })
      ))

    it("renames a person who gave it or is in its record, and drops what is said of theirs", () =>
      run(
        Effect.gen(function* () {
          const store = yield* FeedbackStore
          const people = yield* PersonStore
          const account = fresh.makeAccountId()
          const name = 'Ada "the first" \\ 😀'
          const given = makeFeedback(account, { comment: "stays", givenBy: { user: name } })
          const about = makeFeedback(
            account,
            { comment: "goes", givenBy: { user: "eve" } },
            { externalUser: name }
          )
          yield* store.give(given)
          yield* store.give(about)
          yield* people.rename({ account, kind: "user", name, pseudonym: "erased-1" })
          yield* people.rename({ account, kind: "external_user", name, pseudonym: "erased-2" })
          const { rows } = yield* store.list({ account }, page)
          assert.deepStrictEqual(
            rows.map(({ comment, generation, givenBy }) => [
              comment,
              givenBy.user,
              generation.externalUser
            ]),
            [
              [undefined, "eve", "erased-2"],
              ["stays", "erased-1", undefined]
            ]
          )
        })
      ))
  })
}
