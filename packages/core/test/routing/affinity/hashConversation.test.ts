import { SaidInMessages } from "../../../src/domains/chat/said/SaidInMessages.ts"
import type { ChatBodyMessage } from "../../../src/engine/upstreams/openaiChat/ChatBody.ts"
import { assert, describe, it } from "vitest"
import {
  type ConversationTraits,
  findAffinitySource
} from "../../../src/routing/affinity/ConversationTraits.ts"
import { hashConversation } from "../../../src/routing/affinity/findAffinity.ts"
import { computeChiSquare, criticalChiSquare } from "../../chiSquare.ts"

const [account, model] = ["acme", "a/b"]
const toTraits = (
  messages: ReadonlyArray<ChatBodyMessage>,
  rest: Partial<ConversationTraits> = {}
): ConversationTraits => ({
  request: {},
  parameters: {},
  native: { dialect: "chat", body: {} },
  said: new SaidInMessages(messages),
  ...rest
})

const hash = (
  messages: ReadonlyArray<ChatBodyMessage>,
  rest: Partial<ConversationTraits> = {}
): number | undefined => {
  const conversation = toTraits(messages, rest)
  return hashConversation(conversation, findAffinitySource(conversation), account, model)
}
const system = { role: "system", content: "You are brief." }
const user = { role: "user", content: "Is it calm at sea?" }
const asParts = (text: string, rest: object = {}) => [{ type: "text", text, ...rest }]

const image = (url: string, size: number) => ({ type: "image", url, size })
const hashTwo = (...contents: ReadonlyArray<unknown>) =>
  hash(contents.map((content, index) => ({ role: index === 0 ? "system" : "user", content })))
/** How many of 65,536 keys have each of the values of their first ten bits. */
const countKeys = (toKey: (index: number) => number | undefined) => {
  const counts = Array.from({ length: 1_024 }, () => 0)
  for (let index = 0; index < 65_536; index++) counts[toKey(index)! >>> 22]! += 1
  return counts
}

describe("hashConversation", () => {
  it("is one number of 32 bits for every turn of a conversation", () => {
    const key = hash([system, user])!
    assert.isTrue(Number.isInteger(key) && key >= 0 && key < 2 ** 32)
    const later = [system, user, { role: "assistant", content: "Yes." }, { ...user, content: "?" }]
    assert.strictEqual(hash(later), key)
    assert.strictEqual(hash([{ ...system, role: "developer" }, user]), key)
  })

  it("is the same for a text and a part with it, with any cache marks", () => {
    const key = hash([system, user])
    const marked = asParts(user.content, { cache_control: { type: "ephemeral" } })
    assert.strictEqual(hash([system, { role: "user", content: asParts(user.content) }]), key)
    assert.strictEqual(hash([system, { role: "user", content: marked }]), key)
    const image = { type: "image_url", image_url: { url: "https://example.com/1.png" } }
    const shown = [...asParts("See"), image]
    const shownAgain = [...asParts("See"), { ...image, cache_control: { type: "ephemeral" } }]
    assert.strictEqual(
      hash([{ role: "user", content: shown }]),
      hash([{ role: "user", content: shownAgain }])
    )
  })

  it("differs with the texts, the parts, the account and the model", () => {
    const keys = [
      hash([system, user]),
      hash([user]),
      hash([{ role: "user", content: system.content }, user]),
      hash([{ ...system, content: "" }, user]),
      hash([system, { ...user, content: "Is it calm at sea? " }]),
      hash([system, { role: "user", content: [image("a", 1)] }]),
      hash([system, { role: "user", content: [image("b", 1)] }]),
      hash([system, { role: "user", content: [image("a", 2)] }]),
      ...[
        ["other", model],
        [account, "a/c"],
        ["acmea", "/b"]
      ].map(([account, model]) =>
        hashConversation(toTraits([system, user]), "opener", account!, model!)
      )
    ]
    assert.strictEqual(new Set(keys).size, keys.length)
  })

  it("reads at most 65,536 characters of each message", () => {
    const long = "x".repeat(65_536)
    assert.strictEqual(hashTwo(`${long}a`, "?"), hashTwo(`${long}b`, "?"))
    assert.strictEqual(hashTwo("?", asParts(`${long}a`)), hashTwo("?", asParts(`${long}b`)))
    assert.strictEqual(
      hashTwo("?", [...asParts(long), { type: "image", url: "a" }]),
      hashTwo("?", [...asParts(long), { type: "image", url: "b" }])
    )
    assert.notStrictEqual(hashTwo(`${long.slice(1)}a`, "?"), hashTwo(`${long.slice(1)}b`, "?"))
  })

  it("finds no conversation in a system prompt alone", () => {
    assert.isUndefined(hash([system]))
    assert.isUndefined(hash([]))
  })

  it("takes a session before a prompt cache key, and that before the messages", () => {
    const parameters = { prompt_cache_key: "p" }
    const bySession = hash([user], { request: { session_id: "s" }, parameters })
    assert.strictEqual(hash([system], { request: { session_id: "s" } }), bySession)
    const byKey = hash([user], { parameters })
    assert.strictEqual(hash([], { parameters, request: { session_id: "" } }), byKey)
    assert.strictEqual(
      hash([], {
        request: { session_id: "p" },
        native: { dialect: "responses", body: parameters }
      }),
      byKey
    )
    assert.strictEqual(new Set([bySession, byKey, hash([user])]).size, 3)
  })

  it("spreads sessions and openers evenly", () => {
    for (const counts of [
      countKeys((index) => hash([], { request: { session_id: `user-${index}` } })),
      countKeys((index) => hash([system, { role: "user", content: `Question ${index}?` }]))
    ]) {
      const even = counts.map(() => 1)
      assert.isBelow(computeChiSquare(counts, even), criticalChiSquare(counts.length - 1))
    }
  })
})
