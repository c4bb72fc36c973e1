/** Chats of OpenAI's dialect at Anthropic's API, through the router. */
import { anthropic } from "@signalbox/anthropic"
import { openai } from "@signalbox/openai"
import { fault, reply } from "@signalbox/testing"
import { describe, expect, test } from "vitest"
import {
  collectChunks,
  makeChat,
  makeThoughtAndCall,
  makeUsage,
  question,
  startRouter,
  thoughtAndCalled,
  word
} from "./lighthouseChat.ts"

const price = {
  prompt: "0.000005",
  completion: "0.000025",
  input_cache_read: "0.0000005",
  input_cache_write: "0.00000625"
}

const start = () =>
  startRouter((url) => ({
    upstreams: [
      anthropic({ baseUrl: url, apiKey: "sk-ant-of-the-house" }),
      openai({ baseUrl: `${url}/v1`, apiKey: "sk-of-the-house" })
    ],
    models: [
      {
        id: "anthropic/claude-opus-5",
        endpoints: [
          { provider: "anthropic", model: "claude-opus-5", price, contextLength: 1_000_000 },
          { provider: "openai", model: "claude-elsewhere", price, contextLength: 1_000_000 }
        ]
      }
    ]
  }))

const first = { ...makeChat("anthropic/claude-opus-5", "anthropic"), messages: [question] }
const cached = { cached_tokens: 7, cache_write_tokens: 3 }
const thoughtAndCall = makeThoughtAndCall("toolu_1", cached)
// 10 tokens of the prompt, 7 read from the cache, 3 written to it, and 9 of the answer.
const usage = makeUsage(cached, 0.000_297_25)

const said = {
  role: "assistant" as const,
  content: "Let me look.",
  tool_calls: [
    {
      id: "toolu_1",
      type: "function" as const,
      function: { name: "look_up", arguments: word }
    }
  ],
  reasoning_details: [
    {
      type: "reasoning.text" as const,
      text: "A tower, I think.",
      signature: "c2lnbmVkLWJ5LXRoZS1zY3JpcHQ=",
      format: "anthropic-claude-v1" as const,
      index: 0
    }
  ]
}

describe("a chat at Anthropic's API", () => {
  test("calls a tool, and goes on with what it thought", async () => {
    const { instance, upstream } = await start()
    upstream.script(thoughtAndCall, reply.chat("A tower with a light."))
    const asked = await instance.chat(first)
    expect(asked).toMatchObject({
      model: "anthropic/claude-opus-5",
      provider: "Anthropic",
      choices: [{ message: said, finish_reason: "tool_calls", native_finish_reason: "tool_use" }],
      usage
    })
    const { message } = asked.choices[0]!
    const result = { role: "tool" as const, tool_call_id: "toolu_1", content: "A tower." }
    const answered = await instance.chat({ ...first, messages: [question, message, result] })
    expect(answered.choices[0]).toMatchObject({
      message: { content: "A tower with a light." },
      finish_reason: "stop"
    })
    expect(upstream.requests[1]).toMatchObject({
      path: "/v1/messages",
      body: {
        thinking: { type: "adaptive", display: "summarized" },
        output_config: { effort: "high" },
        messages: [
          { role: "user", content: [{ type: "text", text: "What is a lighthouse?" }] },
          {
            role: "assistant",
            content: [
              {
                type: "thinking",
                thinking: "A tower, I think.",
                signature: "c2lnbmVkLWJ5LXRoZS1zY3JpcHQ="
              },
              { type: "text", text: "Let me look." },
              { type: "tool_use", id: "toolu_1", name: "look_up", input: { word: "lighthouse" } }
            ]
          },
          {
            role: "user",
            content: [
              {
                type: "tool_result",
                tool_use_id: "toolu_1",
                content: [{ type: "text", text: "A tower." }]
              }
            ]
          }
        ]
      }
    })
  })

  test("streams the same answer", async () => {
    const { instance, upstream } = await start()
    upstream.script(thoughtAndCall)
    expect(await collectChunks(instance.streamChat(first))).toEqual({
      ...thoughtAndCalled,
      usage: expect.objectContaining(usage),
      details: [
        {
          type: "reasoning.text",
          text: "A tower, I think.",
          format: "anthropic-claude-v1",
          index: 0
        },
        {
          type: "reasoning.text",
          signature: "c2lnbmVkLWJ5LXRoZS1zY3JpcHQ=",
          format: "anthropic-claude-v1",
          index: 0
        }
      ]
    })
  })

  test("goes elsewhere if Anthropic is overloaded, or if its API cannot say the request", async () => {
    const { instance, upstream } = await start()
    upstream.when(({ path }) => path === "/v1/messages").always(fault.status(529))
    const served = await instance.chat(first)
    expect(served).toMatchObject({ provider: "OpenAI" })
    expect(upstream.requests.map(({ path }) => path)).toEqual([
      "/v1/messages",
      "/v1/chat/completions"
    ])
    const audio = { type: "input_audio" as const, input_audio: { data: "UklGRg==", format: "wav" } }
    const messages = [{ role: "user" as const, content: [audio] }]
    expect(await instance.chat({ ...first, messages })).toMatchObject({ provider: "OpenAI" })
    expect(upstream.requests.map(({ path }) => path).slice(2)).toEqual(["/v1/chat/completions"])
  })
})
