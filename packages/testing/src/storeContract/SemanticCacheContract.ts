/** A test suite for implementations of `SemanticCache`. */
import type { AnsweredPrompt, SemanticCache } from "@signalbox/core/adapter"
import {
  type CachedAnswerFilter,
  type CachedAnswerOwner,
  UserId,
  WorkspaceId
} from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import { assert, describe, it } from "vitest"
import * as fresh from "./fixtures.ts"

export interface SemanticCacheContractOptions {
  /** A question, the same in other words, and another one; default: about the sea. */
  readonly texts?: {
    readonly question: string
    readonly alike: string
    readonly other: string
  }
}

type Returned<A> = A | Promise<A> | Effect.Effect<A, unknown>

const settle = async <A>(returned: Returned<A>): Promise<A> =>
  Effect.isEffect(returned) ? Effect.runPromise(returned) : returned

const makeToken = (): string => crypto.randomUUID().replaceAll("-", "")

const makeOwner = (): CachedAnswerOwner => ({
  account: fresh.makeAccountId(),
  workspace: WorkspaceId.make(crypto.randomUUID())
})

const makePrompt = (text: string, changes: Partial<AnsweredPrompt> = {}): AnsweredPrompt => ({
  key: makeToken(),
  partition: makeToken(),
  text,
  owner: makeOwner(),
  signal: new AbortController().signal,
  expiresAt: Date.now() + 3_600_000,
  ...changes
})

/**
 * Declares the tests in a vitest file: `SemanticCacheContract("pgvector", () => cache)`. The cache need not be empty, because
 * every test uses unique partitions.
 */
export const SemanticCacheContract = (
  implementation: string,
  make: () => SemanticCache | Promise<SemanticCache>,
  {
    texts: { alike, other, question } = {
      question: "Is it calm at sea?",
      alike: "at sea, is it calm",
      other: "What does a lighthouse cost?"
    }
  }: SemanticCacheContractOptions = {}
): void => {
  const start = async () => {
    const cache = await make()
    return {
      add: (prompt: AnsweredPrompt) => settle(cache.add(prompt)),
      /** What `find` returns for the text in the place of the prompt. */
      find: ({ owner, partition, signal }: AnsweredPrompt, text: string) =>
        settle(cache.find({ owner, partition, signal, text })),
      removeAll: (filter: CachedAnswerFilter) => settle(cache.removeAll(filter))
    }
  }

  describe(`SemanticCache: ${implementation}`, () => {
    it("finds the key of a prompt that asks the same, in the same or other words, and of no other", async () => {
      const { add, find } = await start()
      const prompt = makePrompt(question)
      assert.isUndefined(await find(prompt, question))
      await add(prompt)
      assert.strictEqual(await find(prompt, question), prompt.key)
      assert.strictEqual(await find(prompt, alike), prompt.key)
      assert.isUndefined(await find(prompt, other))
    })

    it("finds nothing of another partition, also where both have the prompt", async () => {
      const { add, find } = await start()
      const owner = makeOwner()
      const one = makePrompt(question, { owner })
      const two = makePrompt(question, { owner })
      await add(one)
      assert.isUndefined(await find(two, question))
      await add(two)
      assert.strictEqual(await find(one, alike), one.key)
      assert.strictEqual(await find(two, alike), two.key)
    })

    it("finds the prompt that is most alike among others", async () => {
      const { add, find } = await start()
      const prompt = makePrompt(question)
      const another = { ...prompt, key: makeToken(), text: other }
      await add(another)
      await add(prompt)
      assert.strictEqual(await find(prompt, question), prompt.key)
      assert.strictEqual(await find(prompt, other), another.key)
    })

    it("keeps one prompt under a key, the last", async () => {
      const { add, find } = await start()
      const prompt = makePrompt(question)
      await add(prompt)
      await add({ ...prompt, text: other })
      assert.isUndefined(await find(prompt, question))
      assert.strictEqual(await find(prompt, other), prompt.key)
    })

    it("forgets the prompts of an account, a workspace, a key and a person, and no others", async () => {
      const { add, find, removeAll } = await start()
      const { account, workspace } = makeOwner()
      const keyHash = fresh.makeKeyHash()
      const user = UserId.make("user_ä😀")
      const externalUser = "__proto__"
      const prompts = Object.entries({
        plain: { account, workspace },
        elsewhere: { account, workspace: WorkspaceId.make(crypto.randomUUID()) },
        ofKey: { account, workspace, keyHash },
        ofUser: { account, workspace, user },
        ofExternalUser: { account, workspace, externalUser },
        ofOther: { ...makeOwner(), keyHash, user, externalUser }
      }).map(([name, owner]) => ({ name, prompt: makePrompt(question, { owner }) }))
      for (const { prompt } of prompts) await add(prompt)
      const removals: ReadonlyArray<readonly [CachedAnswerFilter, ReadonlyArray<string>]> = [
        [{ account, keyHash }, ["plain", "elsewhere", "ofUser", "ofExternalUser", "ofOther"]],
        [{ account, user }, ["plain", "elsewhere", "ofExternalUser", "ofOther"]],
        [{ account, externalUser }, ["plain", "elsewhere", "ofOther"]],
        [{ account, workspace }, ["elsewhere", "ofOther"]],
        [{ account }, ["ofOther"]]
      ]
      for (const [filter, kept] of removals) {
        await removeAll(filter)
        // What was removed may be removed again.
        await removeAll(filter)
        const found: Array<string> = []
        for (const { name, prompt } of prompts) {
          if ((await find(prompt, question)) === prompt.key) found.push(name)
        }
        assert.deepStrictEqual(found, kept)
      }
    })

    it("forgets each prompt whose add has ended, whatever is added beside it", async () => {
      const { add, find, removeAll } = await start()
      const owner = makeOwner()
      const prompts = Array.from({ length: 10 }, () => makePrompt(question, { owner }))
      const beside = Array.from({ length: 10 }, () => makePrompt(question))
      await Promise.all(prompts.map(add))
      await Promise.all([removeAll({ account: owner.account }), ...beside.map(add)])
      for (const prompt of prompts) assert.isUndefined(await find(prompt, question))
      for (const prompt of beside) assert.strictEqual(await find(prompt, question), prompt.key)
    })

    it.each([
      ["words of JavaScript", "__proto__ constructor toString"],
      ["quotes and operators", `it's "so" \\ % _ * & | ! :* ; DROP TABLE x --`],
      ["many scripts", "Ist es ruhig? 海上平静吗？ هل البحر هادئ؟ 😀"],
      ["a long text", `${"calm sea ".repeat(4_000)}?`]
    ])("takes %s, and finds it", async (_, text) => {
      const { add, find } = await start()
      const prompt = makePrompt(text)
      await add(prompt)
      assert.strictEqual(await find(prompt, text), prompt.key)
    })
  })
}
