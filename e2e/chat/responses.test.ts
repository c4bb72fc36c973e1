/** Chats of OpenAI's dialect at the Responses API of OpenAI and of Azure, through the router. */
import { Signalbox } from "@signalbox/node"
import { azureOpenai, openai } from "@signalbox/openai"
import { fault, reply, ScriptedUpstream } from "@signalbox/testing"
import { describe, expect, onTestFinished, test } from "vitest"

const price = { prompt: "0.00000125", completion: "0.00001", input_cache_read: "0.000000125" }

const startRouter = async () => {
  const upstream = await ScriptedUpstream.start()
  const instance = await Signalbox.make({
    upstreams: [
      openai({ baseUrl: `${upstream.url}/v1`, apiKey: "sk-of-the-house", api: "responses" }),
      azureOpenai({ baseUrl: `${upstream.url}/openai/v1`, apiKey: "az-house", api: "responses" })
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
  })
  onTestFinished(async () => {
    await instance.close()
    await upstream.close()
  })
  return { instance, upstream }
}

const lookUp = {
  type: "function" as const,
  function: { name: "look_up", parameters: { type: "object", properties: { word: {} } } }
}
const question = { role: "user" as const, content: "What is a lighthouse?" }
const first = {
  model: "openai/gpt-5-mini",
  messages: [{ role: "system" as const, content: "You keep one." }, question],
  tools: [lookUp],
  reasoning: { effort: "high" as const },
  provider: { order: ["openai"] }
}
const word = '{"word":"lighthouse"}'

const thoughtAndCall = reply.chat(["Let me ", "look."], {
  reasoning: "A tower, I think.",
  toolCalls: [{ id: "call_1", name: "look_up", arguments: word }],
  usage: { inputTokens: 20, outputTokens: 9 },
  usageDetails: {
    prompt_tokens_details: { cached_tokens: 8 },
    completion_tokens_details: { reasoning_tokens: 4 }
  }
})

const usage = {
  prompt_tokens: 20,
  completion_tokens: 9,
  prompt_tokens_details: { cached_tokens: 8 },
  completion_tokens_details: { reasoning_tokens: 4 },
  // 12 tokens of the prompt, 8 read from the cache, and 9 of the answer.
  cost: 0.000_106
}

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
    const { instance, upstream } = await startRouter()
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
    const { instance, upstream } = await startRouter()
    upstream.script(thoughtAndCall)
    let content = ""
    let reasoning = ""
    let input = ""
    let last: unknown
    const details: Array<unknown> = []
    const reasons: Array<unknown> = []
    for await (const chunk of instance.streamChat(first)) {
      last = chunk
      for (const { delta, finish_reason: reason } of chunk.choices) {
        content += delta.content ?? ""
        reasoning += delta.reasoning ?? ""
        for (const call of delta.tool_calls ?? []) input += call.function?.arguments ?? ""
        details.push(...(delta.reasoning_details ?? []))
        if (reason !== null) reasons.push(reason)
      }
    }
    expect({ content, reasoning, input, reasons }).toEqual({
      content: "Let me look.",
      reasoning: "A tower, I think.",
      input: word,
      reasons: ["tool_calls"]
    })
    expect(details).toEqual([
      summary,
      { type: "reasoning.encrypted", data: sealed, id: "rs_1", format, index: 1 }
    ])
    expect(last).toMatchObject({ usage })
  })
})
