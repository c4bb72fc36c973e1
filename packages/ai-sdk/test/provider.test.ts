import { createOpenAICompatible } from "@ai-sdk/openai-compatible"
import { assert, describe, it } from "@effect/vitest"
import { sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Effect from "effect/Effect"
import { writeChoice, writeEvents } from "@signalbox/testing"
import { fromAiSdk } from "../src/index.ts"
import { complete, stream } from "./runChat.ts"

const usage = {
  prompt_tokens: 11,
  completion_tokens: 9,
  prompt_tokens_details: { cached_tokens: 7 },
  completion_tokens_details: { reasoning_tokens: 5 }
}

const counted = { inputTokens: 11, outputTokens: 9, cachedTokens: 7, reasoningTokens: 5 }

const lookup = (args: string) => ({
  id: "call_1",
  type: "function",
  function: { name: "look_up", arguments: args }
})

const tools = [
  {
    type: "function",
    function: { name: "look_up", parameters: { type: "object", properties: {} } }
  }
]

/** An event with a piece of the answer. */
const say = (delta: object, finish = {}) => ({
  type: "delta",
  choices: [{ index: 0, delta, finishReason: null, ...finish }]
})

const provideAt = (url: string) =>
  fromAiSdk(
    createOpenAICompatible({ name: "local", baseURL: url, apiKey: "sk-local", includeUsage: true }),
    { slug: "local" }
  )

describe("a provider of the AI SDK", () => {
  it.effect("gets the conversation in its own API, and its reasoning back", () =>
    Effect.gen(function* () {
      const server = yield* startRecordingServer((_, response) =>
        sendJson(response, {
          id: "chatcmpl-7",
          model: "judge-2030",
          choices: [
            {
              message: { content: "Wait.", reasoning_content: "Hm.", tool_calls: [lookup("{}")] },
              finish_reason: "tool_calls"
            }
          ],
          usage
        })
      )
      const upstream = provideAt(server.url)
      const reply = yield* complete(upstream, { parameters: { tools } })
      assert.deepInclude(reply, { id: "chatcmpl-7", model: "judge-2030", usage: counted })
      const { message } = writeChoice(reply.choices[0]!)
      assert.strictEqual(reply.choices[0]?.answer.end.nativeReason, "tool_calls")
      yield* complete(upstream, {
        messages: [
          { role: "user", content: "Is it calm?" },
          { role: "assistant", ...message },
          { role: "tool", tool_call_id: "call_1", content: "calm" }
        ],
        parameters: { tools, max_tokens: 50, reasoning: { effort: "low" } }
      })
      assert.strictEqual(server.requests.length, 2)
      assert.strictEqual(server.requests[1]?.headers.authorization, "Bearer sk-local")
      assert.deepStrictEqual(server.requests[1]?.json, {
        model: "fake",
        max_tokens: 50,
        reasoning_effort: "low",
        messages: [
          { role: "user", content: "Is it calm?" },
          {
            role: "assistant",
            content: "Wait.",
            reasoning_content: "Hm.",
            tool_calls: [lookup("{}")]
          },
          { role: "tool", tool_call_id: "call_1", content: "calm" }
        ],
        tools
      })
    })
  )

  it.effect("streams its answer", () =>
    Effect.gen(function* () {
      const pieces = [
        { choices: [{ delta: { reasoning_content: "Hm." } }] },
        { choices: [{ delta: { content: "Wa" } }] },
        { choices: [{ delta: { content: "it." } }] },
        { choices: [{ delta: { tool_calls: [{ index: 0, ...lookup("") }] } }] },
        { choices: [{ delta: { tool_calls: [{ index: 0, function: { arguments: "{}" } }] } }] },
        { choices: [{ delta: {}, finish_reason: "tool_calls" }] },
        { choices: [], usage }
      ]
      const server = yield* startRecordingServer((_, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" })
        for (const piece of pieces) {
          response.write(`data: ${JSON.stringify({ id: "c7", model: "judge-2030", ...piece })}\n\n`)
        }
        response.end("data: [DONE]\n\n")
      })
      const events = yield* stream(provideAt(server.url), { parameters: { tools } })
      const format = "ai-sdk-local.chat-v1"
      assert.deepStrictEqual<unknown>(writeEvents(events), [
        say({
          reasoning: "Hm.",
          reasoning_details: [{ type: "reasoning.text", text: "Hm.", format, index: 0 }]
        }),
        say({ content: "Wa" }),
        say({ content: "it." }),
        say({ tool_calls: [{ index: 0, ...lookup("") }] }),
        say({ tool_calls: [{ index: 0, function: { arguments: "{}" } }] }),
        say({}, { finishReason: "tool_calls", nativeFinishReason: "tool_calls" }),
        {
          type: "end",
          id: "c7",
          model: "judge-2030",
          usage: counted,
          usageDetails: {
            prompt_tokens_details: { cached_tokens: 7 },
            completion_tokens_details: { reasoning_tokens: 5 }
          }
        }
      ])
      assert.strictEqual(server.requests.length, 1)
    })
  )
})
