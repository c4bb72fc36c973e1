import { assert, describe, it } from "vitest"
import type { ConversationTraits } from "../../../src/routing/affinity/ConversationTraits.ts"
import { type AffinityQuery, findAffinity } from "../../../src/routing/affinity/findAffinity.ts"
import { type Candidate, withCredential } from "../../../src/routing/Candidate.ts"
import { makeCandidate } from "../makeCandidate.ts"

const settings = { affinityMillis: 600_000, affinityUnderWay: 16 }
const price = { prompt: "1e-6", completion: "1e-6", input_cache_read: "1e-7" }
const [one, two] = ["one", "two"].map((provider) => makeCandidate({ provider, price })) as [
  ReturnType<typeof makeCandidate>,
  ReturnType<typeof makeCandidate>
]
const plain = ["three", "four"].map((provider) => makeCandidate({ provider }))

const conversation: ConversationTraits = {
  request: {},
  parameters: {},
  native: { dialect: "chat", body: {} },
  said: { findOpener: () => ({ first: { content: "?" } }) }
}
const query: AffinityQuery = { caller: { account: "acme" }, conversation, preferences: {} }
const pinsOf = (pinned: string | undefined, underWay: number) => ({
  find: () => pinned,
  countUnderWay: () => underWay
})
const unread: ConversationTraits = {
  request: {},
  parameters: {},
  native: { dialect: "chat", body: {} },
  said: { findOpener: () => assert.fail("the messages were read") }
}
const unasked = { find: () => assert.fail("asked"), countUnderWay: () => assert.fail("asked") }

describe("findAffinity", () => {
  it("has the key, the pin, and the shift of a hot key", () => {
    const key =
      findAffinity(query, "a/b", [one, two], pinsOf(undefined, 0), settings)?.key ?? assert.fail()
    const find = (pinned: string | undefined, underWay: number) =>
      findAffinity(query, "a/b", [one, two], pinsOf(pinned, underWay), settings)
    assert.deepStrictEqual(find(undefined, 15), { by: "opener", key })
    assert.deepStrictEqual(find("a/b@two", 15), { by: "opener", key, pinned: "a/b@two" })
    assert.deepStrictEqual(find(undefined, 16), { by: "opener", key, shift: 1 })
    assert.deepStrictEqual(find(undefined, 30), { by: "opener", key, shift: 1 })
    assert.deepStrictEqual(find("a/b@two", 31), { by: "opener", key, pinned: "a/b@two", shift: 2 })
    const few = { ...settings, affinityUnderWay: 1 }
    assert.deepStrictEqual(findAffinity(query, "a/b", [one, two], pinsOf(undefined, 0), few), {
      by: "opener",
      key
    })
  })

  it("needs only one endpoint whose cache is cheaper", () => {
    const found = findAffinity(query, "a/b", [...plain, one], pinsOf(undefined, 0), settings)
    assert.isNumber(found?.key)
  })

  const own = withCredential(one, {
    id: "mine",
    isFallback: false,
    sortOrder: 0,
    declaredZdr: null
  })
  it("finds none for a request that continues no conversation", () => {
    const { caller, preferences } = query
    const found = findAffinity({ caller, preferences }, "a/b", [one, two], unasked, settings)
    assert.isUndefined(found)
  })

  it.each<
    [
      string,
      {
        readonly order?: ReadonlyArray<string>
        readonly candidates?: ReadonlyArray<Candidate>
        readonly affinityMillis?: number
      }
    ]
  >([
    ["when it is switched off", { affinityMillis: 0 }],
    ["with an order", { order: ["two"] }],
    ["with one candidate", { candidates: [one] }],
    ["with one endpoint and a customer's credential for it", { candidates: [one, own] }],
    ["where no cache is cheaper", { candidates: plain }]
  ])("reads nothing, and allocates nothing, %s", (_, situation) => {
    const { affinityMillis = 600_000, candidates = [one, two], order } = situation
    const unreadable = {
      ...query,
      conversation: unread,
      preferences: order === undefined ? {} : { order }
    }
    const find = () =>
      findAffinity(unreadable, "a/b", candidates, unasked, { ...settings, affinityMillis })
    assert.deepStrictEqual(find(), { by: "opener" })
    assert.strictEqual(find(), find())
  })
})
