/** The memory of cached answers is bounded, and workspaces have fair shares of it. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as FastCheck from "fast-check"
import { assert, it } from "vitest"
import {
  type NewCachedAnswer,
  ResponseCacheStore
} from "../../src/engine/cache/ResponseCacheStore.ts"
import { countAnswerBytes } from "../../src/engine/cache/cachedAnswers.ts"
import * as Settings from "../../src/instance/Settings.ts"
import { memoryResponseCacheStore } from "../../src/memory/memoryResponseCacheStore.ts"
import { AccountId, WorkspaceId } from "../../src/values/ids/Ids.ts"

const maxBytes = 1_000
const workspaces = ["quiet", "one", "other", "third"] as const

const store = memoryResponseCacheStore.pipe(
  Layer.provide(Settings.layer({ maxResponseCacheBytes: maxBytes }))
)

const toAnswer = (workspace: string, key: number, size: number): NewCachedAnswer => ({
  key: `${workspace}-${key}`,
  owner: { account: AccountId.make("default"), workspace: WorkspaceId.make(workspace) },
  text: "x".repeat(size),
  now: 0,
  expiresAt: 1,
  maxBytes
})

/** Far less than the share of a workspace. */
const own = [toAnswer("quiet", 1, 100), toAnswer("quiet", 2, 100)]

it("keeps the bound, and the answers of a workspace with less than its share", () =>
  FastCheck.assert(
    FastCheck.asyncProperty(
      FastCheck.array(
        FastCheck.record({
          workspace: FastCheck.constantFrom(...workspaces.slice(1)),
          key: FastCheck.nat({ max: 20 }),
          size: FastCheck.nat({ max: 1_200 })
        }),
        { maxLength: 100 }
      ),
      async (puts) => {
        const answers = puts.map(({ key, size, workspace }) => toAnswer(workspace, key, size))
        await Effect.runPromise(
          Effect.gen(function* () {
            const { find, put } = yield* ResponseCacheStore
            for (const answer of [...own, ...answers]) yield* put(answer)
            for (const { key, text } of own) assert.strictEqual(yield* find(key, 0), text)
            let bytes = 0
            const keys = new Set([...own, ...answers].map(({ key }) => key))
            for (const key of keys) {
              const text = yield* find(key, 0)
              if (text !== undefined) bytes += countAnswerBytes({ key, text })
            }
            assert.isAtMost(bytes, maxBytes)
            const last = answers.at(-1)
            if (last !== undefined && countAnswerBytes(last) <= 300) {
              assert.strictEqual(yield* find(last.key, 0), last.text)
            }
          }).pipe(Effect.provide(store))
        )
      }
    )
  ))

const ofOther = (key: number, size: number): NewCachedAnswer => {
  const answer = toAnswer("own", key, size)
  return { ...answer, owner: { ...answer.owner, account: AccountId.make("other") } }
}

it("an account with many workspaces pushes out no answer of an account with less than its share", () =>
  Effect.runPromise(
    Effect.gen(function* () {
      const { find, put } = yield* ResponseCacheStore
      // One workspace, with more than each of the many will have.
      const others = [ofOther(1, 200), ofOther(2, 200)]
      for (const answer of others) yield* put(answer)
      for (let index = 100; index < 200; index++) yield* put(toAnswer(`many-${index}`, 1, 80))
      for (const { key, text } of others) assert.strictEqual(yield* find(key, 0), text)
      assert.isDefined(yield* find("many-199-1", 0))
      assert.isUndefined(yield* find("many-100-1", 0))
    }).pipe(Effect.provide(store))
  ))
