import * as Result from "effect/Result"
import { assert, describe, it } from "vitest"
import type { Turn } from "../../src/conversation/Conversation.ts"
import { pairCalls } from "../../src/dialects/pairCalls.ts"
import { growth, linear } from "../growth.ts"

const makeTurns = (calls: number): ReadonlyArray<Turn> => {
  const ids = Array.from({ length: calls }, (_, at) => `call_${at}`)
  return [
    {
      role: "assistant",
      parts: ids.map((id) => ({ type: "call", id, name: "f", arguments: "{}" }))
    },
    ...ids.map((callId): Turn => ({
      role: "tool",
      parts: [{ type: "result", callId, content: [] }]
    }))
  ]
}

describe("pairCalls", () => {
  it("finds the calls of many results without comparing each with each", () => {
    const ratio = growth(2_000, (size) => {
      const paired = Result.getOrThrow(pairCalls(makeTurns(size)))
      assert.lengthOf(paired[1]?.parts ?? [], size)
    })
    assert.isBelow(ratio, linear)
  })
})
