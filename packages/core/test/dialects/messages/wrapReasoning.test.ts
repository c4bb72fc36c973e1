import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import type { Part } from "../../../src/conversation/Part.ts"
import { parseMessagesRequest } from "../../../src/dialects/messages/parseRequest.ts"
import { unwrapReasoning, wrapReasoning } from "../../../src/dialects/messages/thinkingBlocks.ts"
import { writeMessagesAnswer } from "../../../src/dialects/messages/writeAnswer.ts"
import { writeMessagesRequest } from "../../../src/dialects/messages/writeRequest.ts"
import { collectBlocks, readStream, writeStream } from "./streams.ts"

type Json = Readonly<Record<string, unknown>>

const facts = { id: "gen-1", model: "acme/m", created: 0 }

/** What a client gets, and sends back in its next request. */
const sendBack = (parts: ReadonlyArray<Part>): ReadonlyArray<Part> => {
  const { content } = writeMessagesAnswer(
    { choices: [{ index: 0, answer: { parts, end: { reason: "stop" } } }] },
    facts
  )
  return parseHistory(content)
}

const parseHistory = (content: unknown): ReadonlyArray<Part> => {
  const messages = [
    { role: "user", content: "hi" },
    { role: "assistant", content }
  ]
  return Result.getOrThrow(parseMessagesRequest({ messages })).turns[1]?.parts ?? []
}

const openai = "openai-responses-v1"
const google = "google-gemini-v1"

describe("reasoning of other providers", () => {
  it("is unwrapped as it was wrapped", () => {
    const wrapped = fc.record(
      {
        format: fc.string({ unit: "grapheme" }),
        id: fc.string(),
        isSummary: fc.constant(true as const),
        signature: fc.string(),
        encrypted: fc.string({ unit: "grapheme" })
      },
      { requiredKeys: ["format"] }
    )
    fc.assert(
      fc.property(wrapped, (each) => {
        expect(unwrapReasoning(wrapReasoning(each))).toEqual(each)
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it.each(["", "EqQBCkYIBRgC", "signalbox.", "signalbox.!!", "signalbox.bnVsbA", "signalbox.e30"])(
    "is not found in %j",
    (signature) => {
      expect(unwrapReasoning(signature)).toBeUndefined()
    }
  )

  it("comes back from clients as it was", () => {
    const parts: ReadonlyArray<Part> = [
      { type: "reasoning", format: openai, text: "one", isSummary: true, id: "rs_1" },
      { type: "reasoning", format: openai, text: "two", isSummary: true, id: "rs_1" },
      { type: "reasoning", format: openai, encrypted: "abc", id: "rs_1" },
      { type: "reasoning", format: openai, encrypted: "def", id: "rs_2" },
      { type: "reasoning", format: google, text: "three", signature: "sig" },
      { type: "reasoning", format: "unknown", text: "four" },
      { type: "text", text: "yes", signature: { format: google, value: "on-text" } },
      {
        type: "call",
        id: "c1",
        name: "f",
        arguments: "{}",
        signature: { format: google, value: "on-call" }
      }
    ]
    expect(sendBack(parts)).toEqual(parts)
  })

  it("comes back from a stream as it was", () => {
    const deltas: ReadonlyArray<Json> = [
      {
        reasoning: "on",
        reasoning_details: [
          { type: "reasoning.summary", summary: "on", id: "rs_1", format: openai, index: 0 }
        ]
      },
      {
        reasoning: "e",
        reasoning_details: [
          { type: "reasoning.summary", summary: "e", id: "rs_1", format: openai, index: 0 },
          { type: "reasoning.encrypted", data: "abc", id: "rs_1", format: openai, index: 1 }
        ]
      },
      {
        reasoning_details: [
          { type: "reasoning.encrypted", data: "on-call", id: "c1", format: google, index: 2 }
        ]
      },
      { tool_calls: [{ index: 0, id: "c1", function: { name: "f", arguments: "{}" } }] }
    ]
    const content = collectBlocks(writeStream({ deltas })).map((block) =>
      block["type"] === "tool_use" ? { ...block, input: {} } : block
    )
    expect(parseHistory(content)).toEqual([
      { type: "reasoning", format: openai, text: "one", isSummary: true, id: "rs_1" },
      { type: "reasoning", format: openai, encrypted: "abc", id: "rs_1" },
      {
        type: "call",
        id: "c1",
        name: "f",
        arguments: "{}",
        signature: { format: google, value: "on-call" }
      }
    ])
  })

  it("is named for what it is when another router streams it", () => {
    const { items } = readStream(
      writeStream({
        deltas: [
          {
            reasoning_details: [
              { type: "reasoning.text", text: "hm", id: "rs_1", format: openai, index: 0 },
              { type: "reasoning.encrypted", data: "abc", id: "rs_1", format: openai, index: 1 }
            ]
          }
        ]
      })
    )
    const details = items.flatMap((item) =>
      item.type === "delta"
        ? ((item.choices[0]!.delta["reasoning_details"] ?? []) as ReadonlyArray<Json>)
        : []
    )
    expect(details.slice(1)).toEqual([
      { type: "reasoning.text", id: "rs_1", format: openai, index: 0 },
      {
        type: "reasoning.encrypted",
        data: "abc",
        id: "rs_1",
        format: openai,
        index: expect.any(Number)
      }
    ])
  })

  it("is never sent to Anthropic, and does not become text", () => {
    const content = [
      { type: "thinking", thinking: "foreign", signature: wrapReasoning({ format: openai }) },
      { type: "thinking", thinking: "unsigned", signature: "" },
      { type: "redacted_thinking", data: wrapReasoning({ format: google, encrypted: "abc" }) },
      { type: "thinking", thinking: "own", signature: "EqQB" },
      { type: "text", text: "yes" }
    ]
    const conversation = Result.getOrThrow(
      parseMessagesRequest({
        messages: [
          { role: "user", content: "hi" },
          { role: "assistant", content },
          { role: "user", content: "and?" }
        ]
      })
    )
    const written = Result.getOrThrow(
      writeMessagesRequest(conversation, { maxOutputTokens: 1_000 })
    )
    expect(written["messages"]).toMatchObject([
      { role: "user" },
      { role: "assistant", content: content.slice(3) },
      { role: "user" }
    ])
  })
})
