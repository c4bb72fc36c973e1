import * as Result from "effect/Result"
import { assert, describe, it } from "vitest"
import type { AnswerEvent } from "../../src/conversation/Answer.ts"
import type { Conversation, Turn } from "../../src/conversation/Conversation.ts"
import { TextCalls } from "../../src/dialects/chat/TextCalls.ts"
import { makeGeminiEventWriter } from "../../src/dialects/gemini/writeEvents.ts"
import { writeGeminiRequest } from "../../src/dialects/gemini/writeRequest.ts"
import { writeMessagesRequest } from "../../src/dialects/messages/writeRequest.ts"
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

const say = (event: AnswerEvent) => ({
  type: "delta" as const,
  choices: [{ index: 0, events: [event] }]
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
    const call = { id: "c", name: "f", isCustom: false }
    const ratio = growth(500, (size) => {
      const writer = makeGeminiEventWriter({ id: "gen-1", model: "m" })
      writer.write(say({ type: "call", call, text: '{"a":[' }))
      for (let piece = 0; piece < size; piece++) {
        writer.write(say({ type: "call", call, text: "0,[],{},1," }))
        assert.lengthOf(writer.write(say({ type: "text", text: "." })), 1)
      }
      const written = writer.write(say({ type: "call", call, text: "2]}" }))
      assert.lengthOf(written, 0)
      assert.include(
        JSON.stringify(writer.write(say({ type: "text", text: "." }))),
        '{"a":[0,[],{},1,'
      )
    })
    assert.isBelow(ratio, linear)
  })

  it("grows with the calls that a server leaves in the text", () => {
    const ratio = growth(5_000, (size) => {
      const calls = new TextCalls(() => true)
      calls.read('<tool_call>{"name":"f","arguments":{"a":"', false, false)
      for (let piece = 0; piece < size; piece++) calls.read("word ", false, false)
      const read = calls.read('"}}</tool_call>', true, false)
      assert.lengthOf(read.calls, 1)
    })
    assert.isBelow(ratio, linear)
  })

  it("grows with the beginnings of calls that never end", () => {
    const ratio = growth(100_000, (size) => {
      const text = "<tool_call>".repeat(size)
      const read = new TextCalls(() => true).read(text, true, false)
      assert.lengthOf(read.calls, 0)
      assert.lengthOf(read.content, text.length)
    })
    assert.isBelow(ratio, linear)
  })
})
