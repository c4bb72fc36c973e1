import type { GenerateContentParameters } from "@google/genai"
import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import type {
  Conversation,
  ReasoningSettings,
  ToolChoice,
  Turn
} from "../../../src/conversation/Conversation.ts"
import type { CallPart, Part, ResultPart } from "../../../src/conversation/Part.ts"
import {
  type GeminiWriteOptions,
  writeGeminiRequest
} from "../../../src/dialects/gemini/writeRequest.ts"

const text = (said: string): Part => ({ type: "text", text: said })
const user = (...parts: ReadonlyArray<Part>): Turn => ({ role: "user", parts })
const assistant = (...parts: ReadonlyArray<Part>): Turn => ({ role: "assistant", parts })
const call = (id: string, more: Partial<CallPart> = {}): CallPart => ({
  type: "call",
  id,
  name: "f",
  arguments: "{}",
  ...more
})
const result = (callId: string, more: Partial<ResultPart> = {}): ResultPart => ({
  type: "result",
  callId,
  content: [{ type: "text", text: "done" }],
  ...more
})
const tool = (...parts: ReadonlyArray<Part>): Turn => ({ role: "tool", parts })
const google = (value: string) => ({ format: "google-gemini-v1", value })
const sentinel = "skip_thought_signature_validator"

const base: Conversation = { turns: [user(text("hi"))], tools: [], sampling: {}, stop: [] }

const write = (more: Partial<Conversation>, options?: GeminiWriteOptions) =>
  Result.getOrThrow(writeGeminiRequest({ ...base, ...more }, options))

const getProblem = (more: Partial<Conversation>, options?: GeminiWriteOptions) => {
  const written = writeGeminiRequest({ ...base, ...more }, options)
  return Result.isFailure(written) ? written.failure : undefined
}

const contentsOf = (turns: ReadonlyArray<Turn>, options?: GeminiWriteOptions) =>
  write({ turns }, options)["contents"]

const response = (id: string, output: string, more = {}) => ({
  functionResponse: { id, name: "f", response: { output }, ...more }
})

describe("writeGeminiRequest", () => {
  it("writes a request that the types of Google's client accept", () => {
    const expected = {
      model: "gemini-3-pro",
      contents: [
        { role: "user", parts: [{ text: "hi" }] },
        {
          role: "model",
          parts: [
            { text: "so", thought: true },
            { functionCall: { id: "a", name: "f", args: { x: 1 } }, thoughtSignature: "c2ln" }
          ]
        },
        {
          role: "user",
          parts: [{ functionResponse: { id: "a", name: "f", response: { output: "done" } } }]
        }
      ],
      config: {
        systemInstruction: { parts: [{ text: "be brief" }] },
        tools: [
          {
            functionDeclarations: [
              { name: "f", description: "does", parametersJsonSchema: { type: "object" } }
            ]
          }
        ],
        temperature: 1,
        topP: 0.5,
        topK: 4,
        frequencyPenalty: 0.1,
        presencePenalty: 0.2,
        seed: 7,
        candidateCount: 2,
        maxOutputTokens: 100,
        stopSequences: ["END"],
        responseLogprobs: true,
        logprobs: 3,
        responseMimeType: "application/json",
        responseJsonSchema: { type: "array" }
      }
    } satisfies GenerateContentParameters
    const { systemInstruction, tools, ...generationConfig } = expected.config
    expect(
      write({
        turns: [
          { role: "system", parts: [text("be brief")] },
          user(text("hi")),
          assistant(
            { type: "reasoning", format: "google-gemini-v1", text: "so" },
            call("a", { arguments: '{"x":1}', signature: google("c2ln") })
          ),
          tool(result("a"))
        ],
        tools: [
          { type: "function", name: "f", description: "does", parameters: { type: "object" } }
        ],
        sampling: {
          temperature: 1,
          topP: 0.5,
          topK: 4,
          minP: 0.1,
          frequencyPenalty: 0.1,
          presencePenalty: 0.2,
          seed: 7
        },
        answers: 2,
        maxOutputTokens: 100,
        stop: ["END"],
        logprobs: { top: 3 },
        format: { type: "schema", name: "dropped", schema: { type: "array" }, strict: true },
        parallelCalls: false,
        verbosity: "low"
      })
    ).toEqual({
      contents: expected.contents,
      systemInstruction,
      tools,
      generationConfig
    })
  })

  it("puts results behind their calls, in their order and before what the user says", () => {
    expect(
      contentsOf([
        user(text("hi")),
        assistant(text("ok"), call("a"), call("b"), call("c")),
        tool(result("c", { isError: true })),
        tool(result("a", { content: [] })),
        user(text("and?"))
      ])
    ).toEqual([
      { role: "user", parts: [{ text: "hi" }] },
      {
        role: "model",
        parts: [
          { text: "ok" },
          ...["a", "b", "c"].map((id) => ({ functionCall: { id, name: "f", args: {} } }))
        ]
      },
      {
        role: "user",
        parts: [
          { functionResponse: { id: "a", name: "f", response: { output: "" } } },
          {
            functionResponse: {
              id: "b",
              name: "f",
              response: { error: "The call was interrupted and returned no result." }
            }
          },
          { functionResponse: { id: "c", name: "f", response: { error: "done" } } },
          { text: "and?" }
        ]
      }
    ])
  })

  it("signs the first unsigned call of each step of the current turn", () => {
    const steps = [
      assistant(call("b"), call("c")),
      tool(result("b"), result("c")),
      assistant(call("d", { signature: { format: "anthropic-claude-v1", value: "foreign" } })),
      tool(result("d")),
      assistant(call("e", { signature: google("own") })),
      tool(result("e"))
    ]
    const turns = [user(text("hi")), assistant(call("a")), tool(result("a")), user(text("x"))]
    const signatures = (options?: GeminiWriteOptions) =>
      JSON.stringify(contentsOf([...turns, ...steps], options)).match(/"thoughtSignature":"\w+"/g)
    expect(signatures()).toEqual(
      [sentinel, sentinel, "own"].map((value) => `"thoughtSignature":"${value}"`)
    )
    expect(signatures({ needsSignatures: false })).toEqual(['"thoughtSignature":"own"'])
  })

  it("drops what other providers thought, and keeps the turn", () => {
    expect(
      contentsOf([
        user(text("hi")),
        assistant(
          { type: "reasoning", format: "anthropic-claude-v1", text: "so", signature: "s" },
          { type: "reasoning", format: "unknown", text: "plain" },
          text("Hello"),
          { type: "text", text: "", signature: google("last") }
        ),
        user(text("x"))
      ])
    ).toMatchObject([
      {},
      { parts: [{ text: "Hello" }, { text: "", thoughtSignature: "last" }] },
      {}
    ])
  })

  it("marks instructions in the middle, merges neighbours and leaves empty texts out", () => {
    expect(
      contentsOf([
        user(text("")),
        user(text("a")),
        { role: "system", parts: [text("be brief")] },
        assistant(text("")),
        user(text("b"))
      ])
    ).toEqual([
      {
        role: "user",
        parts: [{ text: "a" }, { text: "<system>\nbe brief\n</system>" }, { text: "b" }]
      }
    ])
  })

  it("writes media by their type, and guesses that of URLs", () => {
    const image: Part = { type: "image", source: { type: "url", url: "https://a.test/b.webp?c" } }
    const turns = [
      user(
        image,
        { type: "image", source: { type: "url", url: "https://a.test/b" } },
        { type: "file", source: { type: "url", url: "https://a.test/b.csv" } },
        { type: "video", source: { type: "url", url: "https://youtu.be/x" } },
        { type: "audio", source: { type: "base64", mediaType: "audio/wav", data: "AAAA" } }
      )
    ]
    expect(contentsOf(turns)).toEqual([
      {
        role: "user",
        parts: [
          { fileData: { mimeType: "image/webp", fileUri: "https://a.test/b.webp?c" } },
          { fileData: { mimeType: "image/jpeg", fileUri: "https://a.test/b" } },
          { fileData: { mimeType: "text/csv", fileUri: "https://a.test/b.csv" } },
          { fileData: { mimeType: "video/mp4", fileUri: "https://youtu.be/x" } },
          { inlineData: { mimeType: "audio/wav", data: "AAAA" } }
        ]
      }
    ])
    expect(getProblem({ turns }, { takesUrls: false })).toMatchObject({ path: ["messages"] })
  })

  it("loses no name of a file, which the API has no field for", () => {
    const file = {
      type: "file" as const,
      filename: "a.pdf",
      source: { type: "base64" as const, mediaType: "application/pdf", data: "AAAA" }
    }
    const inline = { inlineData: { mimeType: "application/pdf", data: "AAAA" } }
    const turns = [user(file), assistant(call("a")), tool(result("a", { content: [file] }))]
    expect(contentsOf(turns)).toMatchObject([
      { parts: [{ text: "a.pdf" }, inline] },
      {},
      { parts: [response("a", "a.pdf", { parts: [inline] })] }
    ])
  })

  it("shows the media of results inside or beside them", () => {
    const image: ResultPart["content"][number] = {
      type: "image",
      source: { type: "base64", mediaType: "image/png", data: "AAAA" }
    }
    const turns = [
      user(text("hi")),
      assistant(call("a"), call("b")),
      tool(result("a", { content: [image, { type: "text", text: "x" }] }), result("b"))
    ]
    const inline = { inlineData: { mimeType: "image/png", data: "AAAA" } }
    expect(contentsOf(turns)).toMatchObject([
      {},
      {},
      { parts: [response("a", "x", { parts: [inline] }), response("b", "done")] }
    ])
    expect(contentsOf(turns, { takesResultMedia: false })).toMatchObject([
      {},
      {},
      { parts: [response("a", "x"), response("b", "done"), inline] }
    ])
  })

  it("names tools in its alphabet, everywhere alike", () => {
    const long = "x".repeat(200)
    const written = write({
      turns: [
        user(text("hi")),
        assistant(call("a", { name: "1 st" }), call("b", { name: "f", namespace: "ns" })),
        tool(result("a"), result("b"))
      ],
      tools: [
        { type: "function", name: "1 st" },
        { type: "function", name: "_1_st" },
        { type: "function", name: "f", namespace: { name: "ns" } },
        { type: "function", name: "a.b:c-d" },
        { type: "function", name: long },
        { type: "custom", name: "sh", description: "shell" }
      ],
      toolChoice: { type: "tool", name: "1 st" }
    })
    expect(written["tools"]).toMatchObject([
      {
        functionDeclarations: [
          { name: "_1_st_2" },
          { name: "_1_st" },
          { name: "ns__f" },
          { name: "a.b:c-d" },
          { name: long.slice(0, 64) },
          { name: "sh", parametersJsonSchema: { required: ["input"] } }
        ]
      }
    ])
    expect(written["toolConfig"]).toEqual({
      functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["_1_st_2"] }
    })
    expect(written["contents"]).toMatchObject([
      {},
      { parts: [{ functionCall: { name: "_1_st_2" } }, { functionCall: { name: "ns__f" } }] },
      {
        parts: [{ functionResponse: { name: "_1_st_2" } }, { functionResponse: { name: "ns__f" } }]
      }
    ])
  })

  it.each<[ToolChoice, object | undefined]>([
    [{ type: "auto" }, { mode: "AUTO" }],
    [{ type: "none" }, { mode: "NONE" }],
    [{ type: "required" }, { mode: "ANY" }],
    [
      { type: "allowed", mode: "required", names: ["f", "g"] },
      { mode: "ANY", allowedFunctionNames: ["f", "g"] }
    ],
    [
      { type: "allowed", mode: "auto", names: ["f"] },
      { mode: "VALIDATED", allowedFunctionNames: ["f"] }
    ]
  ])("writes the choice %j", (toolChoice, functionCallingConfig) => {
    const tools = [{ type: "function" as const, name: "f" }]
    expect(write({ tools, toolChoice })["toolConfig"]).toEqual({ functionCallingConfig })
    expect(write({ toolChoice })["toolConfig"]).toBeUndefined()
  })

  const budget = { type: "budget" as const, min: 0, max: 24_576 }
  const always = { type: "budget" as const, min: 128, max: 32_768 }
  const levels = { type: "level" as const, levels: ["low" as const, "high" as const] }

  it.each<[ReasoningSettings, GeminiWriteOptions, object]>([
    [{ effort: "medium" }, {}, { thinkingLevel: "MEDIUM", includeThoughts: true }],
    [{ effort: "max", isExcluded: true }, {}, { thinkingLevel: "HIGH", includeThoughts: false }],
    [{ effort: "medium" }, { thinking: levels }, { thinkingLevel: "HIGH", includeThoughts: true }],
    [{ effort: "minimal" }, { thinking: levels }, { thinkingLevel: "LOW", includeThoughts: true }],
    [{ effort: "none" }, { thinking: levels }, { thinkingLevel: "LOW" }],
    [{ effort: "new" }, {}, { includeThoughts: true }],
    [{ maxTokens: 2_000 }, {}, { thinkingBudget: 2_000, includeThoughts: true }],
    [{ isEnabled: true }, {}, { includeThoughts: true }],
    [{ isEnabled: false }, { thinking: budget }, { thinkingBudget: 0 }],
    [{ isEnabled: false }, { thinking: always }, { thinkingBudget: 128 }],
    [{ isEnabled: true }, { thinking: budget }, { thinkingBudget: -1, includeThoughts: true }],
    [
      { maxTokens: 99_999 },
      { thinking: budget },
      { thinkingBudget: 24_576, includeThoughts: true }
    ],
    [
      { effort: "medium" },
      { thinking: budget, maxOutputTokens: 10_000 },
      { thinkingBudget: 5_000, includeThoughts: true }
    ]
  ])("writes the reasoning %j with %j", (reasoning, options, thinkingConfig) => {
    expect(write({ reasoning }, options)["generationConfig"]).toMatchObject({ thinkingConfig })
    expect(write({ reasoning }, options)["generationConfig"]).toHaveProperty(
      "thinkingConfig",
      thinkingConfig
    )
  })

  it("writes forms of answers and tiers, where the API has them", () => {
    const config = (more: Partial<Conversation>) => write(more)["generationConfig"]
    expect(config({ format: { type: "json" } })).toEqual({ responseMimeType: "application/json" })
    expect(config({ format: { type: "text" } })).toEqual({ responseMimeType: "text/plain" })
    expect(config({ logprobs: { top: 0 } })).toEqual({ responseLogprobs: true })
    expect(write({ serviceTier: "default" })).toMatchObject({ serviceTier: "standard" })
    expect(write({ serviceTier: "flex" })).toMatchObject({ serviceTier: "flex" })
    expect(write({ serviceTier: "auto" })).toEqual(write({}))
  })

  it("leaves out what only other dialects say", () => {
    const extra = { dialect: "messages" as const, fields: { container: "c" } }
    expect(
      write({
        extra,
        turns: [
          user({ ...text("hi"), extra } as Part, { type: "opaque", dialect: "chat", raw: {} })
        ]
      })
    ).toEqual(write({}))
  })

  it.each<[string, Partial<Conversation>, string]>([
    ["a result without its call", { turns: [user(text("hi")), tool(result("lost"))] }, '"lost"'],
    ["an assistant at the beginning", { turns: [assistant(text("a"))] }, "the user"],
    [
      "a file of another provider",
      {
        turns: [user({ type: "file", source: { type: "id", id: "file-1", dialect: "responses" } })]
      },
      "file-1"
    ],
    [
      "a tool of another provider",
      { tools: [{ type: "server", dialect: "messages", raw: { type: "web_search" } }] },
      "web_search"
    ],
    [
      "a choice of another provider",
      {
        tools: [{ type: "function", name: "f" }],
        toolChoice: { type: "opaque", dialect: "chat", raw: {} }
      },
      "API"
    ],
    ["a grammar", { format: { type: "opaque", dialect: "chat", raw: {} } }, "API"]
  ])("refuses %s", (_, more, part) => {
    expect(getProblem(more)?.problem).toContain(part)
  })
})
