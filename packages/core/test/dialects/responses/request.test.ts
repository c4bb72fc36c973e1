import { assert, describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import type { Conversation, Turn } from "../../../src/conversation/Conversation.ts"
import { parseChatConversation } from "../../../src/dialects/chat/parseRequest.ts"
import { writeChatRequest } from "../../../src/dialects/chat/writeRequest.ts"
import { parseResponsesRequest } from "../../../src/dialects/responses/parseRequest.ts"
import { wrapReasoning } from "../../../src/dialects/responses/parseReasoningItem.ts"
import {
  type ResponsesRequestOptions,
  writeResponsesRequest
} from "../../../src/dialects/responses/writeRequest.ts"
import { commonConversation } from "../arbitraries.ts"
import { responsesBody } from "./arbitraries.ts"

type Json = Readonly<Record<string, unknown>>

const parse = (body: Json) => Result.getOrThrow(parseResponsesRequest(body))
const parseTurns = (...input: ReadonlyArray<unknown>) => parse({ input }).turns
const findProblem = (body: Json) => {
  const parsed = parseResponsesRequest(body)
  return Result.isFailure(parsed) ? parsed.failure : undefined
}
const write = (conversation: Partial<Conversation>, options?: Partial<ResponsesRequestOptions>) =>
  Result.getOrThrow(
    writeResponsesRequest(
      { turns: [], tools: [], sampling: {}, stop: [], ...conversation },
      { model: "m", ...options }
    )
  )
const say = (text: string): Turn => ({ role: "user", parts: [{ type: "text", text }] })
const system = (text: string): Turn => ({ role: "system", parts: [{ type: "text", text }] })

const weather = {
  type: "function_call",
  call_id: "call_1",
  name: "weather",
  arguments: '{"at":"sea"}'
}
const calm = { type: "function_call_output", call_id: "call_1", output: "calm" }

describe("a request of the Responses API", () => {
  it("comes back from a conversation as it was", () => {
    fc.assert(
      fc.property(responsesBody, (body) => {
        const conversation = parse(body)
        const written = writeResponsesRequest(conversation, { model: "m", takesAdditions: true })
        expect(parse(Result.getOrThrow(written))).toEqual(conversation)
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("holds any conversation of the chat dialect", () => {
    fc.assert(
      fc.property(commonConversation, (conversation) => {
        const chat = Result.getOrThrow(parseChatConversation(writeChatRequest(conversation)))
        const before = writeChatRequest(chat)
        const back = parse(Result.getOrThrow(writeResponsesRequest(chat, { model: "m" })))
        const after = writeChatRequest({ ...back, stop: chat.stop })
        expect(after.messages).toEqual(before.messages)
        expect(after.parameters).toMatchObject({
          ...before.parameters,
          max_tokens: Math.max(16, conversation.maxOutputTokens ?? 0)
        })
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })

  it("never throws, for any JSON", () => {
    fc.assert(
      fc.property(
        fc.record({ input: fc.jsonValue(), tools: fc.jsonValue(), tool_choice: fc.jsonValue() }),
        fc.dictionary(
          fc.constantFrom("text", "reasoning", "include", "instructions", "metadata", "__proto__"),
          fc.jsonValue()
        ),
        (known, others) => {
          const parsed = parseResponsesRequest({ ...known, ...others })
          if (Result.isFailure(parsed)) return
          assert.isTrue(Result.isResult(writeResponsesRequest(parsed.success, { model: "m" })))
        }
      ),
      { numRuns: scaleRuns(2_000) }
    )
  })

  describe("read", () => {
    it.each<[string, unknown, ReadonlyArray<Turn>]>([
      ["a text", "hi", [say("hi")]],
      ["a message without its type", [{ role: "user", content: "hi" }], [say("hi")]],
      [
        "a message of parts",
        [{ type: "message", role: "user", content: [{ type: "input_text", text: "hi" }] }],
        [say("hi")]
      ],
      [
        "a developer's message, in place",
        [
          { role: "user", content: "hi" },
          { role: "developer", content: "brief" }
        ],
        [
          say("hi"),
          {
            role: "system",
            parts: [{ type: "text", text: "brief" }],
            extra: { dialect: "responses", fields: { role: "developer" } }
          }
        ]
      ],
      [
        "an image by URL, by data and by id",
        [
          {
            role: "user",
            content: [
              { type: "input_image", image_url: "https://a.test/b.png", detail: "low" },
              { type: "input_image", image_url: "data:image/png;base64,AAAA", detail: "auto" },
              { type: "input_image", file_id: "file-1" }
            ]
          }
        ],
        [
          {
            role: "user",
            parts: [
              {
                type: "image",
                source: { type: "url", url: "https://a.test/b.png" },
                detail: "low"
              },
              { type: "image", source: { type: "base64", mediaType: "image/png", data: "AAAA" } },
              { type: "image", source: { type: "id", id: "file-1", dialect: "responses" } }
            ]
          }
        ]
      ],
      [
        "a file by data and by URL, audio and video",
        [
          {
            role: "user",
            content: [
              {
                type: "input_file",
                filename: "a.pdf",
                file_data: "data:application/pdf;base64,AA"
              },
              { type: "input_file", file_url: "https://a.test/a.pdf" },
              { type: "input_audio", input_audio: { data: "AA", format: "mp3" } },
              { type: "input_video", video_url: "https://a.test/a.mp4" }
            ]
          }
        ],
        [
          {
            role: "user",
            parts: [
              {
                type: "file",
                source: { type: "base64", mediaType: "application/pdf", data: "AA" },
                filename: "a.pdf"
              },
              { type: "file", source: { type: "url", url: "https://a.test/a.pdf" } },
              {
                type: "audio",
                source: { type: "base64", mediaType: "audio/mp3", data: "AA" },
                format: "mp3"
              },
              { type: "video", source: { type: "url", url: "https://a.test/a.mp4" } }
            ]
          }
        ]
      ],
      [
        "what the model said and called in a row as one turn, and outputs in a row as one",
        [
          {
            type: "reasoning",
            id: "rs_1",
            summary: [{ type: "summary_text", text: "so" }],
            content: null,
            encrypted_content: "abc"
          },
          { type: "message", role: "assistant", content: [{ type: "output_text", text: "yes" }] },
          weather,
          { ...weather, call_id: "call_2", id: "fc_2", status: "completed" },
          calm,
          { ...calm, call_id: "call_2", output: [{ type: "input_text", text: "windy" }] }
        ],
        [
          {
            role: "assistant",
            parts: [
              {
                type: "reasoning",
                format: "openai-responses-v1",
                id: "rs_1",
                text: "so",
                isSummary: true
              },
              {
                type: "reasoning",
                format: "openai-responses-v1",
                id: "rs_1",
                encrypted: "abc"
              },
              { type: "text", text: "yes" },
              { type: "call", id: "call_1", name: "weather", arguments: '{"at":"sea"}' },
              { type: "call", id: "call_2", name: "weather", arguments: '{"at":"sea"}' }
            ]
          },
          {
            role: "tool",
            parts: [
              { type: "result", callId: "call_1", content: [{ type: "text", text: "calm" }] },
              { type: "result", callId: "call_2", content: [{ type: "text", text: "windy" }] }
            ]
          }
        ]
      ],
      [
        "a call of a custom tool and one in a namespace",
        [
          { type: "custom_tool_call", call_id: "a", name: "patch", input: "*** Begin" },
          { type: "function_call", call_id: "b", name: "run", arguments: "{}", namespace: "box" },
          { type: "custom_tool_call_output", call_id: "a", output: "done" },
          { type: "function_call_output", call_id: "b", output: "" }
        ],
        [
          {
            role: "assistant",
            parts: [
              { type: "call", id: "a", name: "patch", arguments: "*** Begin", isCustom: true },
              { type: "call", id: "b", name: "run", arguments: "{}", namespace: "box" }
            ]
          },
          {
            role: "tool",
            parts: [
              {
                type: "result",
                callId: "a",
                content: [{ type: "text", text: "done" }],
                isCustom: true
              },
              { type: "result", callId: "b", content: [] }
            ]
          }
        ]
      ],
      [
        "a refusal, a phase and an item of the provider",
        [
          {
            type: "message",
            role: "assistant",
            phase: "commentary",
            content: [
              { type: "output_text", text: "hm", annotations: [] },
              { type: "refusal", refusal: "no" }
            ]
          },
          { type: "web_search_call", id: "ws_1", status: "completed" }
        ],
        [
          {
            role: "assistant",
            parts: [
              {
                type: "text",
                text: "hm",
                extra: { dialect: "responses", fields: { message: { phase: "commentary" } } }
              },
              { type: "refusal", refusal: "no" },
              {
                type: "opaque",
                dialect: "responses",
                raw: { type: "web_search_call", id: "ws_1", status: "completed" }
              }
            ]
          }
        ]
      ],
      ["a reference to reasoning, which is ignored", [{ type: "item_reference", id: "rs_1" }], []]
    ])("%s", (_, input, turns) => {
      expect(parse({ input }).turns).toEqual(turns)
    })

    it("unwraps the reasoning of another provider, with the texts of its summaries", () => {
      const wrapped = wrapReasoning([
        { format: "anthropic-claude-v1", text: "so", summaryIndex: 0, signature: "sig" },
        { format: "anthropic-claude-v1", encrypted: "hidden" }
      ])
      const summary = [{ type: "summary_text", text: "so" }]
      const item = { type: "reasoning", id: "rs_x", summary, encrypted_content: wrapped }
      expect(parseTurns(item)[0]?.parts).toEqual([
        { type: "reasoning", format: "anthropic-claude-v1", text: "so", signature: "sig" },
        { type: "reasoning", format: "anthropic-claude-v1", encrypted: "hidden" }
      ])
    })

    it("unsigned reasoning, whose provider is unknown", () => {
      const summary = [{ type: "summary_text", text: "so" }]
      expect(parseTurns({ type: "reasoning", id: "rs_1", summary })[0]?.parts).toEqual([
        { type: "reasoning", format: "unknown", id: "rs_1", text: "so", isSummary: true }
      ])
    })

    it("puts Google's signatures back on their calls", () => {
      const wrapped = wrapReasoning([
        { format: "google-gemini-v1", encrypted: "sig", id: "call_1" }
      ])
      const item = { type: "reasoning", id: "rs_x", summary: [], encrypted_content: wrapped }
      expect(parseTurns(item, weather)[0]?.parts).toEqual([
        expect.objectContaining({
          type: "call",
          id: "call_1",
          signature: { format: "google-gemini-v1", value: "sig" }
        })
      ])
    })

    it("instructions as the first turn of the system", () => {
      expect(parse({ instructions: "brief", input: "hi" }).turns).toEqual([
        { role: "system", parts: [{ type: "text", text: "brief" }] },
        say("hi")
      ])
    })

    it("functions, namespaces, custom tools and tools of the provider", () => {
      const parameters = { type: "object", properties: {} }
      const { tools } = parse({
        input: "hi",
        tools: [
          { type: "function", name: "a", parameters, strict: true, description: "A" },
          {
            type: "namespace",
            name: "box",
            description: "B",
            tools: [{ type: "function", name: "run", parameters: null, strict: false }]
          },
          { type: "custom", name: "patch", format: { type: "text" } },
          { type: "web_search" }
        ]
      })
      expect(tools).toEqual([
        { type: "function", name: "a", description: "A", parameters, strict: true },
        {
          type: "function",
          name: "run",
          strict: false,
          namespace: { name: "box", description: "B" }
        },
        { type: "custom", name: "patch", format: { type: "text" } },
        { type: "server", dialect: "responses", raw: { type: "web_search" } }
      ])
    })

    it.each<[unknown, Conversation["toolChoice"]]>([
      ["required", { type: "required" }],
      [
        { type: "function", name: "a" },
        { type: "tool", name: "a" }
      ],
      [
        { type: "custom", name: "a" },
        { type: "tool", name: "a", isCustom: true }
      ],
      [
        { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "a" }] },
        { type: "allowed", mode: "required", names: ["a"] }
      ],
      [
        { type: "web_search" },
        { type: "opaque", dialect: "responses", raw: { type: "web_search" } }
      ],
      [null, undefined]
    ])("the choice %j", (choice, expected) => {
      expect(parse({ input: "hi", tool_choice: choice }).toolChoice).toEqual(expected)
    })

    it.each<[Json, Partial<Conversation>]>([
      [{ max_output_tokens: 20, temperature: null }, { maxOutputTokens: 20 }],
      [
        { temperature: 0, top_p: 0.5, top_k: 3 },
        { sampling: { temperature: 0, topP: 0.5, topK: 3 } }
      ],
      [{ text: {} }, {}],
      [{ text: { format: { type: "json_object" } } }, { format: { type: "json" } }],
      [
        {
          text: {
            format: { type: "json_schema", name: "n", schema: {}, strict: true },
            verbosity: "low"
          }
        },
        { format: { type: "schema", name: "n", schema: {}, strict: true }, verbosity: "low" }
      ],
      [
        { reasoning: { effort: "high", summary: "auto" } },
        { reasoning: { effort: "high", summary: "auto" } }
      ],
      [{ reasoning: { effort: "low" } }, { reasoning: { effort: "low", isExcluded: true } }],
      [{ reasoning: null }, {}],
      [
        {
          include: ["message.output_text.logprobs", "reasoning.encrypted_content"],
          top_logprobs: 2
        },
        { logprobs: { top: 2 } }
      ],
      [{ service_tier: "auto" }, {}],
      [{ service_tier: "flex" }, { serviceTier: "flex" }],
      [
        { parallel_tool_calls: false, store: false, stream: true, model: "m" },
        { parallelCalls: false }
      ],
      [
        { prompt_cache_key: "k", metadata: { a: "b" }, include: ["web_search_call.results"] },
        {
          extra: {
            dialect: "responses",
            fields: {
              prompt_cache_key: "k",
              metadata: { a: "b" },
              include: ["web_search_call.results"]
            }
          }
        }
      ]
    ])("the parameters %j", (body, expected) => {
      expect(parse({ input: "hi", ...body })).toEqual({
        turns: [say("hi")],
        tools: [],
        sampling: {},
        stop: [],
        ...expected
      })
    })

    it.each<[string, Json, ReadonlyArray<number | string>]>([
      ["no input", {}, ["input"]],
      ["stored responses", { input: "", store: true }, ["store"]],
      [
        "a response to continue",
        { input: "", previous_response_id: "r" },
        ["previous_response_id"]
      ],
      ["work in the background", { input: "", background: true }, ["background"]],
      ["a conversation", { input: "", conversation: "c" }, ["conversation"]],
      ["a stored prompt", { input: "", prompt: { id: "p" } }, ["prompt"]],
      [
        "a reference to a message",
        { input: [{ type: "item_reference", id: "msg_1" }] },
        ["input", 0]
      ],
      ["an output before its call", { input: [calm, weather] }, ["input", 0]],
      ["a call without an id", { input: [{ ...weather, call_id: "" }] }, ["input", 0, "call_id"]],
      [
        "arguments that are null",
        { input: [{ ...weather, arguments: null }] },
        ["input", 0, "arguments"]
      ],
      ["an unknown role", { input: [{ role: "pope", content: "" }] }, ["input", 0, "role"]],
      ["an item that is none", { input: [7] }, ["input", 0]],
      [
        "an image without a source",
        { input: [{ role: "user", content: [{ type: "input_image" }] }] },
        ["input", 0, "content", 0]
      ],
      ["a tool without a name", { input: "", tools: [{ type: "function" }] }, ["tools", 0, "name"]],
      ["a number that is a text", { input: "", temperature: "warm" }, ["temperature"]],
      ["reasoning that is a text", { input: "", reasoning: "high" }, ["reasoning"]]
    ])("refuses %s", (_, body, path) => {
      expect(findProblem(body)?.path).toEqual(path)
    })

    it("names the option that makes clients send items whole", () => {
      const problem = findProblem({ input: [{ type: "item_reference", id: "msg_1" }] })
      assert.include(problem?.problem, "store: false")
    })
  })

  describe("written", () => {
    it("stores nothing, and asks for encrypted reasoning", () => {
      expect(write({ turns: [say("hi")] }, { isStreamed: true })).toEqual({
        model: "m",
        input: [{ type: "message", role: "user", content: "hi" }],
        include: ["reasoning.encrypted_content"],
        stream: true,
        store: false
      })
    })

    it("asks a model that does not reason for none", () => {
      const written = write(
        { turns: [say("hi")], reasoning: { effort: "high" } },
        { isReasoningModel: false }
      )
      assert.notProperty(written, "include")
      assert.notProperty(written, "reasoning")
    })

    it("leaves out what the API lacks, and sampling where the model reasons", () => {
      const sampling = { temperature: 0.5, topP: 0.9, topK: 3, seed: 1, logitBias: { "1": 1 } }
      const conversation = { turns: [say("hi")], sampling, stop: ["x"], answers: 1 }
      const names = (options: Partial<ResponsesRequestOptions>, reasoning = {}) =>
        Object.keys(write({ ...conversation, ...reasoning }, options)).filter((name) =>
          /temperature|top|seed|bias|stop|^n$/.test(name)
        )
      assert.deepStrictEqual(names({}), ["temperature", "top_p"])
      assert.deepStrictEqual(names({ takesAdditions: true }), ["temperature", "top_p", "top_k"])
      assert.deepStrictEqual(names({ isReasoningModel: true }), [])
      assert.deepStrictEqual(names({ isReasoningModel: true }, { reasoning: { effort: "none" } }), [
        "temperature",
        "top_p"
      ])
    })

    it.each<[Conversation["reasoning"], Json | undefined]>([
      [undefined, undefined],
      [{ effort: "high" }, { effort: "high", summary: "auto" }],
      [{ effort: "high", isExcluded: true }, { effort: "high" }],
      [
        { effort: "high", summary: "detailed" },
        { effort: "high", summary: "detailed" }
      ],
      [{ isEnabled: false }, { effort: "none" }],
      [{ isEnabled: true }, { summary: "auto" }],
      [{ maxTokens: 2_000 }, { effort: "medium", summary: "auto" }]
    ])("the reasoning %j as %j", (reasoning, expected) => {
      const written = write({ turns: [say("hi")], ...(reasoning && { reasoning }) })
      expect(written["reasoning"]).toEqual(expected)
    })

    it("raises a cap that the API refuses, and uses that of the endpoint without one", () => {
      const turns = [say("hi")]
      assert.strictEqual(write({ turns, maxOutputTokens: 1 })["max_output_tokens"], 16)
      assert.strictEqual(write({ turns }, { maxOutputTokens: 99 })["max_output_tokens"], 99)
      assert.notProperty(write({ turns }), "max_output_tokens")
    })

    it("says that functions are not strict, unless they are", () => {
      const { tools } = write({
        turns: [say("hi")],
        tools: [
          { type: "function", name: "a" },
          { type: "function", name: "b", strict: true, parameters: {} },
          { type: "server", dialect: "messages", raw: { type: "web_search_20250305" } }
        ]
      })
      expect(tools).toEqual([
        { type: "function", name: "a", parameters: null, strict: false },
        { type: "function", name: "b", parameters: {}, strict: true }
      ])
    })

    it("keeps the first system turn apart and later ones in place", () => {
      const { input, instructions } = write({ turns: [system("a"), say("hi"), system("b")] })
      assert.strictEqual(instructions, "a")
      expect(input).toMatchObject([{ role: "user" }, { role: "system", content: "b" }])
      expect(write({ turns: [system("a")] })).toMatchObject({ input: [{ role: "system" }] })
    })

    it("sends reasoning back whole and without other ids, and none that the provider cannot read", () => {
      const parts: Turn["parts"] = [
        {
          type: "reasoning",
          format: "openai-responses-v1",
          id: "rs_1",
          text: "so",
          isSummary: true
        },
        { type: "reasoning", format: "openai-responses-v1", id: "rs_1", encrypted: "abc" },
        { type: "reasoning", format: "anthropic-claude-v1", text: "alien", signature: "sig" },
        { type: "reasoning", format: "openai-responses-v1", id: "rs_2", text: "unsigned" },
        { type: "reasoning", format: "azure-openai-responses-v1", id: "rs_3", encrypted: "azure" },
        { type: "text", text: "yes" }
      ]
      const turns: ReadonlyArray<Turn> = [say("hi"), { role: "assistant", parts }, say("and?")]
      expect(write({ turns })["input"]).toEqual([
        expect.anything(),
        {
          type: "reasoning",
          id: "rs_1",
          summary: [{ type: "summary_text", text: "so" }],
          encrypted_content: "abc"
        },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "yes" }] },
        expect.anything()
      ])
      expect(write({ turns }, { family: "azure" })["input"]).toMatchObject([
        { role: "user" },
        { type: "reasoning", id: "rs_3", encrypted_content: "azure" },
        { role: "assistant" },
        { role: "user" }
      ])
    })

    it("shortens long ids of calls, alike in both halves", () => {
      const id = "x".repeat(100)
      const { input } = write({
        turns: [
          { role: "assistant", parts: [{ type: "call", id, name: "f", arguments: "" }] },
          { role: "tool", parts: [{ type: "result", callId: id, content: [] }] }
        ]
      })
      const [call, output] = input as ReadonlyArray<Json>
      assert.isAtMost(String(call?.["call_id"]).length, 64)
      assert.strictEqual(call?.["call_id"], output?.["call_id"])
      assert.strictEqual(call?.["arguments"], "{}")
    })

    it("fails for several answers", () => {
      const conversation = { turns: [say("hi")], tools: [], sampling: {}, stop: [], answers: 2 }
      const written = writeResponsesRequest(conversation, { model: "m" })
      assert(Result.isFailure(written))
      assert.deepStrictEqual(written.failure.path, ["n"])
    })

    it("fails for files of another provider and for videos", () => {
      for (const part of [
        { type: "file", source: { type: "id", id: "file_1", dialect: "messages" } },
        { type: "video", source: { type: "url", url: "https://a.test/a.mp4" } }
      ] as const) {
        const conversation = {
          turns: [{ role: "user" as const, parts: [part] }],
          tools: [],
          sampling: {},
          stop: []
        }
        assert.isTrue(Result.isFailure(writeResponsesRequest(conversation, { model: "m" })))
      }
    })

    it("puts the functions of a namespace together, and flattens the grammar of a chat", () => {
      const { tools } = write({
        turns: [say("hi")],
        tools: [
          { type: "function", name: "a", namespace: { name: "box" } },
          {
            type: "custom",
            name: "patch",
            format: { type: "grammar", grammar: { syntax: "lark", definition: "d" } }
          },
          { type: "function", name: "b", namespace: { name: "box" } }
        ]
      })
      expect(tools).toMatchObject([
        { type: "namespace", name: "box", tools: [{ name: "a" }, { name: "b" }] },
        { type: "custom", format: { type: "grammar", syntax: "lark", definition: "d" } }
      ])
    })
  })
})
