/** Chats of OpenAI's dialect at the Responses API of OpenAI and of Azure, through the router. */
import { azureOpenai, openai } from "@signalbox/openai"
import { fault } from "@signalbox/testing"
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

const price = { prompt: "0.00000125", completion: "0.00001", input_cache_read: "0.000000125" }

const start = () =>
  startRouter((url) => ({
    upstreams: [
      openai({ baseUrl: `${url}/v1`, apiKey: "sk-of-the-house", api: "responses" }),
      azureOpenai({ baseUrl: `${url}/openai/v1`, apiKey: "az-house", api: "responses" })
    ],
    models: [
      {
        id: "openai/gpt-5-mini",
        endpoints: [
          { provider: "openai", model: "gpt-5-mini", price, contextLength: 400_000 },
          { provider: "azure", model: "gpt-5-mini-west", price, contextLength: 400_000 }
        ]
      }
    ]
  }))

const first = {
  ...makeChat("openai/gpt-5-mini", "openai"),
  messages: [{ role: "system" as const, content: "You keep one." }, question]
}
const cached = { cached_tokens: 8 }
const thoughtAndCall = makeThoughtAndCall("call_1", cached)
// 12 tokens of the prompt, 8 read from the cache, and 9 of the answer.
const usage = makeUsage(cached, 0.000_106)

const sealed = "c2VhbGVkLWJ5LXRoZS1zY3JpcHQ="
const format = "openai-responses-v1"
const summary = {
  type: "reasoning.summary",
  summary: "A tower, I think.",
  id: "rs_1",
  format,
  index: 0
}

const spoken = [
  { type: "message", role: "assistant", content: [{ type: "output_text", text: "Let me look." }] },
  { type: "function_call", call_id: "call_1", name: "look_up", arguments: word },
  { type: "function_call_output", call_id: "call_1", output: "A tower." }
]

describe("a chat at the Responses API", () => {
  test("calls a tool, and goes on with what it thought, or without it elsewhere", async () => {
    const { instance, upstream } = await start()
    upstream.script(thoughtAndCall)
    const asked = await instance.chat(first)
    expect(asked).toMatchObject({
      provider: "OpenAI",
      choices: [
        {
          message: {
            content: "Let me look.",
            reasoning: "A tower, I think.",
            reasoning_details: [
              summary,
              { type: "reasoning.encrypted", data: sealed, id: "rs_1", format }
            ],
            tool_calls: [{ id: "call_1", function: { name: "look_up", arguments: word } }]
          },
          finish_reason: "tool_calls",
          native_finish_reason: "completed"
        }
      ],
      usage
    })
    const { message } = asked.choices[0]!
    const result = { role: "tool" as const, tool_call_id: "call_1", content: "A tower." }
    const next = { ...first, messages: [...first.messages, message, result] }
    expect(await instance.chat(next)).toMatchObject({ provider: "OpenAI" })
    upstream.when(({ path }) => path === "/v1/responses").script(fault.status(503))
    expect(await instance.chat(next)).toMatchObject({ provider: "Azure" })
    const user = { type: "message", role: "user", content: "What is a lighthouse?" }
    const thought = {
      type: "reasoning",
      id: "rs_1",
      summary: [{ type: "summary_text", text: "A tower, I think." }],
      encrypted_content: sealed
    }
    const common = {
      instructions: "You keep one.",
      store: false,
      include: ["reasoning.encrypted_content"],
      reasoning: { effort: "high", summary: "auto" },
      tools: [{ type: "function", name: "look_up", strict: false }]
    }
    const [, again, refused, elsewhere] = upstream.requests
    for (const { body, path } of [again!, refused!]) {
      expect(path).toBe("/v1/responses")
      expect(body).toMatchObject({ ...common, input: [user, thought, ...spoken] })
    }
    expect(elsewhere).toMatchObject({
      path: "/openai/v1/responses",
      headers: { "api-key": "az-house" },
      body: { ...common, model: "gpt-5-mini-west", input: [user, ...spoken] }
    })
  })

  test("streams the same answer", async () => {
    const { instance, upstream } = await start()
    upstream.script(thoughtAndCall)
    expect(await collectChunks(instance.streamChat(first))).toEqual({
      ...thoughtAndCalled,
      usage: expect.objectContaining(usage),
      details: [
        summary,
        { type: "reasoning.encrypted", data: sealed, id: "rs_1", format, index: 1 }
      ]
    })
  })
})
