/** A test suite for implementations of `ResponseCacheStore`. */
import {
  type CachedAnswerFilter,
  type CachedAnswerOwner,
  type NewCachedAnswer,
  ResponseCacheStore,
  UserId,
  WorkspaceId
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"
import { makeRunTest } from "./makeRunTest.ts"

const makeKey = (): string => crypto.randomUUID().replaceAll("-", "")

const makeOwner = (): CachedAnswerOwner => ({
  account: fresh.makeAccountId(),
  workspace: WorkspaceId.make(crypto.randomUUID())
})

/** Some stores have clocks of their own. */
const now = Date.now()

const makeAnswer = (
  owner: CachedAnswerOwner,
  changes: Partial<NewCachedAnswer> = {}
): NewCachedAnswer => ({
  key: makeKey(),
  owner,
  text: `{"said":"${crypto.randomUUID()}"}`,
  now,
  expiresAt: now + 60_000,
  maxBytes: 1_000_000,
  ...changes
})

/** Declares the tests in a vitest file: `ResponseCacheStoreContract("redis", layer)`. */
export const ResponseCacheStoreContract = (
  implementation: string,
  layer: Layer.Layer<ResponseCacheStore, unknown>
): void => {
  const run = makeRunTest(layer)
  describe(`ResponseCacheStore: ${implementation}`, () => {
    it("finds an answer exactly as it was put, under its own key alone", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ResponseCacheStore
          const text = JSON.stringify({ said: 'ä😀\u0000\u2028"\\', long: "x".repeat(100_000) })
          const answer = makeAnswer(makeOwner(), { text })
          yield* store.put(answer)
          assert.strictEqual(yield* store.find(answer.key, now), text)
          assert.isUndefined(yield* store.find(makeKey(), now))
          assert.isUndefined(yield* store.find("", now))
        })
      ))

    it("replaces an answer, and loses it when it expires", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ResponseCacheStore
          const answer = makeAnswer(makeOwner())
          yield* store.put(answer)
          yield* store.put({ ...answer, text: "new" })
          assert.strictEqual(yield* store.find(answer.key, now), "new")
          assert.strictEqual(yield* store.find(answer.key, answer.expiresAt - 1), "new")
          assert.isUndefined(yield* store.find(answer.key, answer.expiresAt))
        })
      ))

    it("removes one answer, whether it is there or not", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ResponseCacheStore
          const owner = makeOwner()
          const [one, other] = [makeAnswer(owner), makeAnswer(owner)]
          yield* store.put(one)
          yield* store.put(other)
          yield* store.remove(one.key)
          yield* store.remove(one.key)
          assert.isUndefined(yield* store.find(one.key, now))
          assert.strictEqual(yield* store.find(other.key, now), other.text)
        })
      ))

    it("removes the answers of an account, a workspace, a key and a person, and no others", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ResponseCacheStore
          const { account, workspace } = makeOwner()
          const keyHash = fresh.makeKeyHash()
          const user = UserId.make("user_ä😀")
          const externalUser = "__proto__\u0000"
          const owners = {
            plain: { account, workspace },
            elsewhere: { account, workspace: WorkspaceId.make(crypto.randomUUID()) },
            ofKey: { account, workspace, keyHash },
            ofUser: { account, workspace, user },
            ofExternalUser: { account, workspace, externalUser },
            ofOther: { ...makeOwner(), keyHash, user, externalUser }
          }
          const answers = Object.entries(owners).map(
            ([name, owner]) => [name, makeAnswer(owner)] as const
          )
          for (const [, answer] of answers) yield* store.put(answer)
          const listKept = Effect.gen(function* () {
            const kept: Array<string> = []
            for (const [name, { key }] of answers) {
              if ((yield* store.find(key, now)) !== undefined) kept.push(name)
            }
            return kept
          })
          const removals: ReadonlyArray<readonly [CachedAnswerFilter, ReadonlyArray<string>]> = [
            [{ account, keyHash }, ["plain", "elsewhere", "ofUser", "ofExternalUser", "ofOther"]],
            [{ account, user }, ["plain", "elsewhere", "ofExternalUser", "ofOther"]],
            [{ account, externalUser }, ["plain", "elsewhere", "ofOther"]],
            [{ account, workspace }, ["elsewhere", "ofOther"]],
            [{ account }, ["ofOther"]]
          ]
          for (const [filter, kept] of removals) {
            assert.strictEqual(yield* store.removeAll(filter), 1)
            assert.deepStrictEqual(yield* listKept, kept)
            assert.strictEqual(yield* store.removeAll(filter), 0)
          }
        })
      ))

    it("bounds the answers of a workspace, whose others make room", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ResponseCacheStore
          const owner = makeOwner()
          const other = makeAnswer(makeOwner())
          yield* store.put(other)
          const maxBytes = 10_000
          const answers = Array.from({ length: 50 }, (_, at) =>
            makeAnswer(owner, { text: "x".repeat(1_000), maxBytes, expiresAt: now + 60_000 + at })
          )
          for (const answer of answers) yield* store.put(answer)
          const found = yield* Effect.forEach(answers, ({ key }) => store.find(key, now))
          const kept = found.filter((text) => text !== undefined)
          assert.isAtMost(kept.length, 10)
          assert.isAtLeast(kept.length, 5)
          assert.isDefined(found.at(-1))
          assert.strictEqual(yield* store.find(other.key, now), other.text)
          const tooLarge = makeAnswer(owner, { text: "x".repeat(maxBytes + 1), maxBytes })
          yield* store.put(tooLarge)
          assert.isUndefined(yield* store.find(tooLarge.key, now))
          // Replacing an answer takes the room of the old one.
          const last = answers.at(-1)!
          for (let i = 0; i < 20; i++) yield* store.put({ ...last, text: "y".repeat(1_000) })
          const still = yield* Effect.forEach(answers, ({ key }) => store.find(key, now))
          assert.strictEqual(still.filter((text) => text !== undefined).length, kept.length)
        })
      ))

    it("keeps one of the answers that are put under one key at the same time", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ResponseCacheStore
          const answer = makeAnswer(makeOwner())
          const texts = Array.from({ length: 10 }, (_, at) => `text ${at}`)
          yield* Effect.forEach(texts, (text) => store.put({ ...answer, text }), {
            concurrency: "unbounded"
          })
          assert.include(texts, (yield* store.find(answer.key, now)) ?? "none")
          assert.strictEqual(yield* store.removeAll(answer.owner), 1)
        })
      ))
  })
}
