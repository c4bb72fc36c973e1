import * as Result from "effect/Result"
import { assert, describe, it } from "vitest"
import type { Conversation, Turn } from "../../src/conversation/Conversation.ts"
import { makeGeminiEventWriter } from "../../src/dialects/gemini/makeGeminiEventWriter.ts"
import { writeGeminiRequest } from "../../src/dialects/gemini/writeGeminiRequest.ts"
import { writeMessagesRequest } from "../../src/dialects/messages/writeMessagesRequest.ts"
import { growth, linear } from "../growth.ts"

/** Messages of one role in a row, which the API takes as one. */
const talk = (size: number): Conversation => ({
  turns: Array.from({ length: size }, (): Turn => ({
    role: "user",
    parts: [{ type: "text", text: "Hi" }]
  })),
  tools: [],
  sampling: {},
  stop: []
})

const say = (delta: Readonly<Record<string, unknown>>) => ({
  type: "delta" as const,
  choices: [{ index: 0, delta, finishReason: null }]
})

describe("the work for many pieces", () => {
  it("grows with the number of messages of one role in a row, for Anthropic", () => {
    const ratio = growth(1_000, (size) => {
      const written = Result.getOrThrow(
        writeMessagesRequest(talk(size), { model: "claude-5", maxOutputTokens: 5 })
      )
      const [message] = written["messages"] as ReadonlyArray<Readonly<Record<string, unknown>>>
      assert.lengthOf(message?.["content"] as ReadonlyArray<unknown>, size)
    })
    assert.isBelow(ratio, linear)
  })

  it("grows with the number of messages of one role in a row, for Google", () => {
    const ratio = growth(1_000, (size) => {
      const written = Result.getOrThrow(writeGeminiRequest(talk(size)))
      const [content] = written["contents"] as ReadonlyArray<Readonly<Record<string, unknown>>>
      assert.lengthOf(content?.["parts"] as ReadonlyArray<unknown>, size)
    })
    assert.isBelow(ratio, linear)
  })

  it("grows with the arguments of a call that other pieces interrupt, for Google's clients", () => {
    const head = { index: 0, id: "c", function: { name: "f", arguments: '{"a":[' } }
    const ratio = growth(500, (size) => {
      const writer = makeGeminiEventWriter({ id: "gen-1", model: "m" })
      writer.write(say({ tool_calls: [head] }))
      for (let piece = 0; piece < size; piece++) {
        writer.write(say({ tool_calls: [{ index: 0, function: { arguments: "0,[],{},1," } }] }))
        assert.lengthOf(writer.write(say({ content: "." })), 1)
      }
      const written = writer.write(
        say({ tool_calls: [{ index: 0, function: { arguments: "2]}" } }] })
      )
      assert.lengthOf(written, 0)
      assert.include(JSON.stringify(writer.write(say({ content: "." }))), '{"a":[0,[],{},1,')
    })
    assert.isBelow(ratio, linear)
  })
})
