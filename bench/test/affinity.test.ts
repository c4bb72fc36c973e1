/** Conversations stay where their prompts are cached; `node bench/affinity.ts` prints the figures. */
import { describe, expect, it, test } from "vitest"
import { type Replay, replayConversations } from "../science/replayConversations.ts"
import { readTrace, type TracedChat } from "../science/readTrace.ts"
import { measureAffinity } from "../science/affinityGoals.ts"

test(
  "affinity meets every goal on three traces",
  () => {
    const { goals } = measureAffinity()
    expect(goals.length).toBeGreaterThan(40)
    expect(goals.filter(({ isMet }) => !isMet)).toEqual([])
  },
  // Three whole traces take minutes on a busy machine.
  1_200_000
)

const chats = readTrace("conversation").slice(0, 4_000)
const replay = (rest: Partial<Replay>) =>
  replayConversations({ chats, prices: [1, 1, 1], by: "opener", seed: 1, ...rest })
const sum = (values: ReadonlyArray<number>): number =>
  values.reduce((total, each) => total + each, 0)

describe("rules of affinity, on a trace", () => {
  it("leaves an order alone", () => {
    const { loads } = replay({ preferences: { order: ["provider-1"] } })
    expect(loads).toEqual([0, chats.length, 0])
  })

  it("is off where the cache saves nothing", () => {
    expect(replay({ cachedPrice: 1 })).toEqual(replay({ cachedPrice: 1, by: "none" }))
  })

  it("places conversations in proportion to 1 / price^2", () => {
    const { begun } = replay({ prices: [1, 2, 3] })
    const statistic = sum(
      [36, 9, 4].map((weight, index) => {
        const expected = (sum(begun) * weight) / 49
        return (begun[index]! - expected) ** 2 / expected
      })
    )
    // Chance exceeds it once in a thousand times.
    expect(statistic).toBeLessThan(13.816)
  })

  it("spreads more than 16 requests of one conversation over further endpoints", () => {
    const one: TracedChat = { ...chats[0]!, answerTokens: 1_000 }
    const { loads } = replay({ chats: Array.from({ length: 40 }, () => one) })
    expect(new Set(loads)).toEqual(new Set([16, 15, 9]))
  })
})
