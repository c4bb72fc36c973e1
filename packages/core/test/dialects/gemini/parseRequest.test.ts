import { describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { parseGeminiRequest } from "../../../src/dialects/gemini/parseRequest.ts"
import { writeChatRequest } from "../../../src/dialects/chat/writeRequest.ts"
import { writeMessagesRequest } from "../../../src/dialects/messages/writeRequest.ts"
import { growth, linear } from "../../growth.ts"

type Json = Readonly<Record<string, unknown>>

const parse = (body: Json) => Result.getOrThrow(parseGeminiRequest(body))

const hi = { role: "user", parts: [{ text: "hi" }] }
const call = (name: string, rest: Json = {}) => ({ functionCall: { name, ...rest } })
const respond = (name: string, rest: Json = {}) => ({
  functionResponse: { name, response: { output: name }, ...rest }
})

describe("parseGeminiRequest", () => {
  it("reads fields in snake case as well", () => {
    expect(
      parse({
        system_instruction: { parts: [{ text: "be brief" }] },
        contents: [
          {
            parts: [
              { inline_data: { mime_type: "image/png", data: "AAAA" } },
              { file_data: { mime_type: "audio/mpeg", file_uri: "gs://a/b" } }
            ]
          }
        ],
        tools: [
          {
            function_declarations: [
              {
                name: "f",
                parameters_json_schema: { properties: { snake_case: { type: "string" } } }
              }
            ]
          }
        ],
        tool_config: {
          function_calling_config: { mode: "ANY", allowed_function_names: ["f"] }
        },
        generation_config: {
          max_output_tokens: 5,
          stop_sequences: ["END"],
          thinking_config: { thinking_budget: -1, include_thoughts: true }
        },
        safety_settings: [],
        cached_content: "c"
      })
    ).toEqual({
      turns: [
        { role: "system", parts: [{ type: "text", text: "be brief" }] },
        {
          role: "user",
          parts: [
            { type: "image", source: { type: "base64", mediaType: "image/png", data: "AAAA" } },
            {
              type: "audio",
              source: { type: "url", url: "gs://a/b", mediaType: "audio/mpeg" },
              format: "mp3"
            }
          ]
        }
      ],
      tools: [
        {
          type: "function",
          name: "f",
          parameters: { properties: { snake_case: { type: "string" } } }
        }
      ],
      toolChoice: { type: "tool", name: "f" },
      maxOutputTokens: 5,
      stop: ["END"],
      sampling: {},
      reasoning: { isEnabled: true, isExcluded: false },
      extra: { dialect: "gemini", fields: { safetySettings: [], cachedContent: "c" } }
    })
  })

  it("gives calls without ids ids of their own, by which their responses name them", () => {
    const { turns } = parse({
      contents: [
        hi,
        { role: "model", parts: [call("f"), call("g", { id: "call_2" }), call("f")] },
        { role: "function", parts: [respond("f"), respond("g")] },
        { role: "user", parts: [respond("f"), { text: "and?" }] },
        { role: "model", parts: [call("f")] },
        { role: "user", parts: [respond("f", { id: "unknown" })] }
      ]
    })
    const ids = turns.map(({ parts, role }) => [
      role,
      ...parts.flatMap((part) =>
        part.type === "call" ? [part.id] : part.type === "result" ? [part.callId] : []
      )
    ])
    expect(ids).toEqual([
      ["user"],
      ["assistant", "call_1", "call_2", "call_3"],
      ["tool", "call_1", "call_2", "call_3"],
      ["user"],
      ["assistant", "call_4"],
      ["tool", "call_4"]
    ])
  })

  it("joins the pieces of a stream that a client sends back", () => {
    const { turns } = parse({
      contents: [
        hi,
        { role: "model", parts: [{ text: "s", thought: true }] },
        { role: "model", parts: [{ text: "o", thought: true }] },
        { role: "model", parts: [{ text: "Hel" }] },
        { role: "model", parts: [{ text: "lo" }] },
        { role: "model", parts: [{ text: "", thoughtSignature: "c2ln" }] }
      ]
    })
    const format = "google-gemini-v1"
    expect(turns.slice(1)).toEqual([
      {
        role: "assistant",
        parts: [
          { type: "reasoning", format, text: "so" },
          { type: "text", text: "Hello" },
          { type: "text", text: "", signature: { format, value: "c2ln" } }
        ]
      }
    ])
  })

  it("joins such pieces without copying the text so far with every piece", () => {
    const ratio = growth(1_000, (size) => {
      const parts = Array.from({ length: size }, () => ({ text: "x".repeat(400) }))
      parse({ contents: [hi, { role: "model", parts }] })
    })
    expect(ratio).toBeLessThan(linear)
  })

  it("reads responses in any form as text, for other providers too", () => {
    const { turns } = parse({
      contents: [
        hi,
        { role: "model", parts: [call("f"), call("g")] },
        {
          role: "user",
          parts: [
            respond("f", { response: { sum: 3 } }),
            respond("g", { response: { error: "no" } })
          ]
        }
      ]
    })
    expect(turns.at(-1)?.parts).toMatchObject([
      { content: [{ type: "text", text: '{"sum":3}' }] },
      { content: [{ type: "text", text: "no" }], isError: true }
    ])
  })

  it("translates schemas of OpenAPI", () => {
    const { format, tools } = parse({
      contents: [hi],
      tools: [
        {
          functionDeclarations: [
            {
              name: "f",
              parameters: {
                type: "OBJECT",
                properties: {
                  type: { type: "STRING", nullable: true, enum: ["a"] },
                  list: {
                    type: "ARRAY",
                    minItems: "1",
                    items: { anyOf: [{ type: "INTEGER", format: "int32" }, { type: "NUMBER" }] }
                  }
                },
                required: ["type"],
                propertyOrdering: ["type", "list"]
              }
            }
          ]
        }
      ],
      generationConfig: { responseSchema: { type: "STRING" } }
    })
    expect(tools).toMatchObject([
      {
        parameters: {
          type: "object",
          properties: {
            type: { type: ["string", "null"], enum: ["a"] },
            list: {
              type: "array",
              minItems: 1,
              items: { anyOf: [{ type: "integer", format: "int32" }, { type: "number" }] }
            }
          },
          required: ["type"]
        }
      }
    ])
    expect(format).toEqual({ type: "schema", schema: { type: "string" } })
  })

  it("becomes a request of other dialects", () => {
    const conversation = parse({
      systemInstruction: { parts: [{ text: "be brief" }] },
      contents: [
        hi,
        { role: "model", parts: [call("a.b", { args: { x: 1 } })] },
        { role: "user", parts: [respond("a.b"), { text: "and?" }] }
      ],
      tools: [{ functionDeclarations: [{ name: "a.b" }] }]
    })
    expect(writeChatRequest(conversation).messages).toEqual([
      { role: "system", content: "be brief" },
      { role: "user", content: "hi" },
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "call_1", type: "function", function: { name: "a_b", arguments: '{"x":1}' } }
        ]
      },
      { role: "tool", tool_call_id: "call_1", content: "a.b" },
      { role: "user", content: "and?" }
    ])
    const written = writeMessagesRequest(conversation, { maxOutputTokens: 1 })
    expect(Result.getOrThrow(written)).toMatchObject({
      messages: [
        {},
        { content: [{ type: "tool_use", id: "call_1", name: "a_b", input: { x: 1 } }] },
        { content: [{ type: "tool_result", tool_use_id: "call_1" }, { text: "and?" }] }
      ]
    })
  })

  it.each<[string, Json, ReadonlyArray<number | string>]>([
    ["contents that are no list", { contents: {} }, ["contents"]],
    ["a content that is no object", { contents: ["hi"] }, ["contents", 0]],
    ["an unknown role", { contents: [{ role: "assistant", parts: [] }] }, ["contents", 0, "role"]],
    ["parts that are no list", { contents: [{ parts: {} }] }, ["contents", 0, "parts"]],
    ["a part that is no object", { contents: [{ parts: [7] }] }, ["contents", 0, "parts", 0]],
    [
      "a call without a name",
      { contents: [{ role: "model", parts: [{ functionCall: {} }] }] },
      ["contents", 0, "parts", 0, "functionCall", "name"]
    ],
    [
      "arguments that are no object",
      { contents: [{ role: "model", parts: [call("f", { args: [] })] }] },
      ["contents", 0, "parts", 0, "functionCall", "args"]
    ],
    [
      "a response without its call",
      { contents: [{ parts: [respond("f")] }] },
      ["contents", 0, "parts", 0, "functionResponse"]
    ],
    ["instructions that are no object", { systemInstruction: 7 }, ["systemInstruction"]],
    [
      "a function without a name",
      { tools: [{ functionDeclarations: [{}] }] },
      ["tools", 0, "functionDeclarations", 0, "name"]
    ],
    [
      "a temperature that is no number",
      { generationConfig: { temperature: "1" } },
      ["generationConfig", "temperature"]
    ],
    ["a configuration that is no object", { toolConfig: [] }, ["toolConfig"]]
  ])("refuses %s", (_, body, path) => {
    const parsed = parseGeminiRequest(body)
    expect(Result.isFailure(parsed) && parsed.failure.path).toEqual(path)
  })

  it("never throws, for any JSON", () => {
    const odd = fc.jsonValue({ maxDepth: 3 })
    const part = fc.dictionary(
      fc.constantFrom("text", "thought", "functionCall", "functionResponse", "inlineData", "name"),
      fc.oneof(odd, fc.dictionary(fc.constantFrom("name", "args", "response", "mimeType"), odd))
    )
    const content = fc.record({
      role: fc.constantFrom("user", "model", null),
      parts: fc.oneof(odd, fc.array(part))
    })
    const body = fc.record(
      {
        contents: fc.oneof(odd, fc.array(content)),
        systemInstruction: odd,
        tools: fc.oneof(odd, fc.array(fc.record({ functionDeclarations: fc.array(odd) }))),
        toolConfig: odd,
        generationConfig: fc.dictionary(
          fc.constantFrom("responseSchema", "thinkingConfig", "responseMimeType"),
          odd
        )
      },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(body, (json) => {
        expect(() => parseGeminiRequest(json)).not.toThrow()
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})
