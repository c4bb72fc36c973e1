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
