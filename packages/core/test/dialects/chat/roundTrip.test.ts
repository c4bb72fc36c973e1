import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import type { Conversation, Turn } from "../../../src/conversation/Conversation.ts"
import { parseChatConversation } from "../../../src/dialects/chat/parseRequest.ts"
import { writeChatRequest } from "../../../src/dialects/chat/writeRequest.ts"
import { commonConversation } from "../arbitraries.ts"

/** In chat, each result is a message of its own. */
const splitResults = (turns: ReadonlyArray<Turn>): ReadonlyArray<Turn> =>
  turns.flatMap((turn) =>
    turn.role === "tool" ? turn.parts.map((part) => ({ ...turn, parts: [part] })) : [turn]
  )

const piece = (said: object, index: number) => ({
  type: "reasoning.text",
  format: "anthropic-claude-v1",
  index,
  ...said
})

describe("a conversation in the chat dialect", () => {
  it("comes back as it was", () => {
    fc.assert(
      fc.property(commonConversation, (conversation) => {
        const parsed = parseChatConversation(writeChatRequest(conversation))
        const expected: Conversation = {
          ...conversation,
          turns: splitResults(conversation.turns)
        }
        expect(Result.getOrThrow(parsed)).toEqual(expected)
      })
    )
  })

  it("keeps the parameters that only this dialect has", () => {
    const parameters = { logit_bias: { "42": -1 }, modalities: ["text"], web_search_options: {} }
    const parsed = Result.getOrThrow(
      parseChatConversation({ messages: [{ role: "user", content: "hi" }], parameters })
    )
    expect(writeChatRequest(parsed).parameters).toEqual(parameters)
  })

  it("keeps reasoning with its signatures and the ids of its items", () => {
    const details = [
      {
        type: "reasoning.text",
        text: "so",
        signature: "sig",
        format: "anthropic-claude-v1",
        index: 0
      },
      {
        type: "reasoning.summary",
        summary: "thus",
        id: "rs_1",
        format: "openai-responses-v1",
        index: 1
      },
      {
        type: "reasoning.encrypted",
        data: "abc",
        id: "rs_1",
        format: "openai-responses-v1",
        index: 2
      }
    ]
    const message = {
      role: "assistant",
      content: "yes",
      reasoning: "sothus",
      reasoning_details: details
    }
    const parsed = Result.getOrThrow(parseChatConversation({ messages: [message], parameters: {} }))
    expect(writeChatRequest(parsed).messages).toEqual([message])
  })

  it("joins the pieces of a streamed detail that a client sends back as they came", () => {
    const details = [
      piece({ text: "a" }, 0),
      piece({ text: "b" }, 0),
      piece({ signature: "one" }, 0),
      piece({ text: "c", signature: "two" }, 0),
      piece({ text: "d" }, 1)
    ]
    const message = { role: "assistant", content: null, reasoning_details: details }
    const parsed = Result.getOrThrow(parseChatConversation({ messages: [message], parameters: {} }))
    const format = "anthropic-claude-v1"
    expect(parsed.turns[0]?.parts).toEqual([
      { type: "reasoning", format, text: "ab", signature: "one" },
      { type: "reasoning", format, text: "c", signature: "two" },
      { type: "reasoning", format, text: "d" }
    ])
  })

  it("puts the signatures of Google's details on the calls and texts they are for", () => {
    const details = [
      { type: "reasoning.encrypted", data: "text-sig", format: "google-gemini-v1", index: 0 },
      {
        type: "reasoning.encrypted",
        data: "call-sig",
        id: "c1",
        format: "google-gemini-v1",
        index: 1
      }
    ]
    const message = {
      role: "assistant",
      content: "yes",
      tool_calls: [{ id: "c1", type: "function", function: { name: "f", arguments: "{}" } }],
      reasoning_details: details
    }
    const parsed = Result.getOrThrow(parseChatConversation({ messages: [message], parameters: {} }))
    expect(parsed.turns[0]?.parts).toEqual([
      { type: "text", text: "yes", signature: { format: "google-gemini-v1", value: "text-sig" } },
      {
        type: "call",
        id: "c1",
        name: "f",
        arguments: "{}",
        signature: { format: "google-gemini-v1", value: "call-sig" }
      }
    ])
    expect(writeChatRequest(parsed).messages).toEqual([message])
  })

  it("shows the images of results in a message of the user, after all results", () => {
    const image = { type: "image", source: { type: "url", url: "https://a.test/b.png" } } as const
    const { messages } = writeChatRequest({
      turns: [
        {
          role: "assistant",
          parts: [
            { type: "call", id: "a", name: "look", arguments: "{}" },
            { type: "call", id: "b", name: "look", arguments: "{}" }
          ]
        },
        {
          role: "tool",
          parts: [
            { type: "result", callId: "a", content: [{ type: "text", text: "one" }, image] },
            { type: "result", callId: "b", content: [image] }
          ]
        },
        { role: "user", parts: [{ type: "text", text: "and?" }] }
      ],
      tools: [],
      sampling: {},
      stop: []
    })
    expect(messages.map(({ role }) => role)).toEqual(["assistant", "tool", "tool", "user", "user"])
  })

  it("refuses a parameter of another type than the dialect says", () => {
    const parsed = parseChatConversation({
      messages: [{ role: "user", content: "hi" }],
      parameters: { temperature: "warm" }
    })
    expect(Result.isFailure(parsed) && parsed.failure.path).toEqual(["temperature"])
  })
})
