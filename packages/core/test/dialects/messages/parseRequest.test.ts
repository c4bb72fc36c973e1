import { assert, describe, expect, it } from "@effect/vitest"
import * as Result from "effect/Result"
import * as fc from "fast-check"
import { scaleRuns } from "../../../../../vitest.scope.ts"
import { writeChatRequest } from "../../../src/dialects/chat/writeRequest.ts"
import { findMessagesOnlyNeed } from "../../../src/dialects/messages/findMessagesOnlyNeed.ts"
import {
  findMessagesUser,
  parseMessagesRequest
} from "../../../src/dialects/messages/parseRequest.ts"
import { writeMessagesRequest } from "../../../src/dialects/messages/writeRequest.ts"

type Json = Readonly<Record<string, unknown>>

const hi = { role: "user", content: "hi" }
const parse = (body: Json) =>
  Result.getOrThrow(parseMessagesRequest({ messages: [hi], max_tokens: 9_000, ...body }))
const parseContent = (content: unknown, role = "user") =>
  parse({ messages: [{ role, content }] }).turns
const toChat = (body: Json) => writeChatRequest(parse(body))

describe("the turns of parseMessagesRequest", () => {
  it.each([
    ["a text", "a", [{ type: "text", text: "a" }]],
    ["an empty text", "", [{ type: "text", text: "" }]],
    ["nothing", null, []],
    ["an empty list", [], []]
  ])("reads %s as content", (_, content, parts) => {
    expect(parseContent(content)).toEqual([{ role: "user", parts }])
  })

  it("makes the system prompt the first turn, with its blocks and marks", () => {
    const system = [
      { type: "text", text: "a" },
      { type: "text", text: "b", cache_control: { type: "ephemeral", ttl: "1h" } }
    ]
    expect(parse({ system }).turns[0]).toEqual({
      role: "system",
      parts: [
        { type: "text", text: "a" },
        { type: "text", text: "b", cache: { type: "ephemeral", ttl: "1h" } }
      ]
    })
    expect(toChat({ system: "a" }).messages[0]).toEqual({ role: "system", content: "a" })
  })

  it("leaves instructions in the middle where they are", () => {
    const { messages } = toChat({
      messages: [hi, { role: "system", content: "now" }, { role: "assistant", content: "ok" }]
    })
    expect(messages).toEqual([
      { role: "user", content: "hi" },
      { role: "system", content: "now" },
      { role: "assistant", content: "ok" }
    ])
  })

  it("puts results before the text of the user, in any order", () => {
    const { messages } = toChat({
      messages: [
        hi,
        {
          role: "assistant",
          content: [
            { type: "tool_use", id: "toolu:1", name: "f", input: { x: 1 }, caller: {} },
            { type: "tool_use", id: "b", name: "g", input: {} }
          ]
        },
        {
          role: "user",
          content: [
            { type: "text", text: "so" },
            { type: "tool_result", tool_use_id: "b" },
            { type: "tool_result", tool_use_id: "toolu:1", content: "no", is_error: true }
          ]
        }
      ]
    })
    expect(messages.slice(1)).toEqual([
      {
        role: "assistant",
        content: null,
        tool_calls: [
          { id: "toolu:1", type: "function", function: { name: "f", arguments: '{"x":1}' } },
          { id: "b", type: "function", function: { name: "g", arguments: "{}" } }
        ]
      },
      { role: "tool", tool_call_id: "b", content: "" },
      { role: "tool", tool_call_id: "toolu:1", content: "Error: no" },
      { role: "user", content: "so" }
    ])
  })

  it("says images, documents and search results to chat", () => {
    const { messages } = toChat({
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "base64", media_type: "image/webp", data: "AAAA" } },
            { type: "image", source: { type: "url", url: "https://a.test/b.png" } },
            {
              type: "document",
              source: { type: "base64", media_type: "application/pdf", data: "AAAA" },
              title: "a.pdf",
              context: "Half of it."
            },
            { type: "document", source: { type: "text", media_type: "text/plain", data: "hä" } },
            {
              type: "document",
              title: "Doc",
              source: { type: "content", content: [{ type: "text", text: "one" }] }
            },
            {
              type: "search_result",
              source: "https://a.test",
              title: "Found",
              content: [{ type: "text", text: "two" }]
            }
          ]
        }
      ]
    })
    expect(messages[0]?.["content"]).toEqual([
      { type: "image_url", image_url: { url: "data:image/webp;base64,AAAA" } },
      { type: "image_url", image_url: { url: "https://a.test/b.png" } },
      { type: "text", text: "Half of it." },
      {
        type: "file",
        file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" }
      },
      { type: "text", text: "hä" },
      { type: "text", text: "Doc\none" },
      { type: "text", text: "Found\nhttps://a.test\ntwo" }
    ])
  })

  it("says thinking to chat as details, and leaves out what only Anthropic knows", () => {
    const { messages } = toChat({
      messages: [
        hi,
        {
          role: "assistant",
          content: [
            { type: "thinking", thinking: "so", signature: "sig" },
            { type: "redacted_thinking", data: "secret" },
            { type: "server_tool_use", id: "s", name: "web_search", input: {} },
            { type: "web_search_tool_result", tool_use_id: "s", content: [] },
            { type: "text", text: "yes" }
          ]
        }
      ]
    })
    const format = "anthropic-claude-v1"
    expect(messages[1]).toEqual({
      role: "assistant",
      content: "yes",
      reasoning: "so",
      reasoning_details: [
        { type: "reasoning.text", text: "so", signature: "sig", format, index: 0 },
        { type: "reasoning.encrypted", data: "secret", format, index: 1 }
      ]
    })
  })
})

describe("the settings of parseMessagesRequest", () => {
  it.each([
    [{ stop_sequences: ["a"] }, { stop: ["a"] }],
    [
      { temperature: 0, top_p: 1, top_k: 5 },
      { temperature: 0, top_p: 1, top_k: 5 }
    ],
    [{ temperature: null, top_p: null, stop_sequences: null }, {}],
    [{ tool_choice: { type: "auto" } }, { tool_choice: "auto" }],
    [{ tool_choice: { type: "any" } }, { tool_choice: "required" }],
    [{ tool_choice: { type: "none" } }, { tool_choice: "none" }],
    [
      { tool_choice: { type: "tool", name: "f", disable_parallel_tool_use: true } },
      { tool_choice: { type: "function", function: { name: "f" } }, parallel_tool_calls: false }
    ],
    [{ thinking: { type: "enabled", budget_tokens: 2_000 } }, { reasoning: { max_tokens: 2_000 } }],
    [{ thinking: { type: "disabled" } }, { reasoning: { enabled: false } }],
    [
      { thinking: { type: "adaptive" }, output_config: { effort: "high" } },
      { reasoning: { enabled: true, effort: "high", exclude: false } }
    ],
    [
      { thinking: { type: "adaptive", display: "omitted" } },
      { reasoning: { enabled: true, exclude: true } }
    ],
    [{ thinking: { type: "between_tools" } }, { reasoning: { enabled: true } }],
    [{ output_config: { effort: "low" } }, { reasoning: { effort: "low" } }],
    [{ output_config: { effort: null } }, {}],
    [
      { output_config: { format: { type: "json_schema", schema: { type: "object" } } } },
      {
        response_format: {
          type: "json_schema",
          json_schema: { name: "answer", schema: { type: "object" } }
        }
      }
    ],
    [
      { output_format: { type: "json_schema", schema: {} } },
      { response_format: { type: "json_schema", json_schema: { name: "answer", schema: {} } } }
    ],
    [{ service_tier: "auto" }, {}],
    [{ service_tier: "standard_only" }, { service_tier: "default" }],
    [{ cache_control: { type: "ephemeral" } }, { cache_control: { type: "ephemeral" } }],
    [
      {
        speed: "fast",
        context_management: { edits: [] },
        metadata: { user_id: "u" },
        model: "m",
        stream: true,
        unknown: 1
      },
      {}
    ],
    [
      {
        tools: [
          { name: "f", description: "d", input_schema: { $schema: "s", type: "object" } },
          { type: "custom", name: "g", input_schema: {}, strict: true, defer_loading: true }
        ]
      },
      {
        tools: [
          {
            type: "function",
            function: {
              name: "f",
              description: "d",
              parameters: { $schema: "s", type: "object" }
            }
          },
          { type: "function", function: { name: "g", parameters: {}, strict: true } }
        ]
      }
    ]
  ])("says %j to chat", (body, parameters) => {
    expect(toChat(body).parameters).toEqual({ max_tokens: 9_000, ...parameters })
  })

  it("needs no cap", () => {
    expect(Result.getOrThrow(parseMessagesRequest({ messages: [hi] }))).not.toHaveProperty(
      "maxOutputTokens"
    )
  })

  it("keeps what only Anthropic knows for its API", () => {
    const body = {
      messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
      max_tokens: 9_000,
      context_management: { edits: [{ type: "clear" }] },
      thinking: { type: "between_tools" },
      output_config: { effort: "low", task_budget: { total: 1 } },
      mcp_servers: [{ name: "m" }],
      tools: [{ type: "bash_20250124", name: "bash" }],
      tool_choice: { type: "new_choice" }
    }
    expect(Result.getOrThrow(writeMessagesRequest(parse(body), { maxOutputTokens: 1 }))).toEqual(
      body
    )
  })

  it.each([
    [{ messages: "hi" }, ["messages"]],
    [{ messages: [7] }, ["messages", 0]],
    [{ messages: [{ role: "tool", content: "x" }] }, ["messages", 0, "role"]],
    [{ messages: [{ role: "user", content: 7 }] }, ["messages", 0, "content"]],
    [{ messages: [{ role: "user", content: ["x"] }] }, ["messages", 0, "content", 0]],
    [
      { messages: [hi, { role: "user", content: [{ type: "text" }] }] },
      ["messages", 1, "content", 0, "text"]
    ],
    [
      { messages: [{ role: "user", content: [{ type: "image", source: {} }] }] },
      ["messages", 0, "content", 0]
    ],
    [
      { messages: [{ role: "user", content: [{ type: "document" }] }] },
      ["messages", 0, "content", 0]
    ],
    [
      { messages: [{ role: "assistant", content: [{ type: "tool_use", name: "f" }] }] },
      ["messages", 0, "content", 0, "id"]
    ],
    [
      {
        messages: [
          { role: "user", content: [{ type: "tool_result", tool_use_id: "a", content: [{}, 7] }] }
        ]
      },
      ["messages", 0, "content", 0, "content", 1]
    ],
    [
      { messages: [{ role: "user", content: [{ type: "tool_result" }] }] },
      ["messages", 0, "content", 0, "tool_use_id"]
    ],
    [{ system: 7 }, ["system"]],
    [{ max_tokens: "many" }, ["max_tokens"]],
    [{ max_tokens: -1 }, ["max_tokens"]],
    [{ max_tokens: 1.5 }, ["max_tokens"]],
    [{ temperature: "hot" }, ["temperature"]],
    [{ stop_sequences: "a" }, ["stop_sequences"]],
    [{ stop_sequences: [1] }, ["stop_sequences"]],
    [{ tools: {} }, ["tools"]],
    [{ tools: [7] }, ["tools", 0]],
    [{ tools: [{ input_schema: {} }] }, ["tools", 0, "name"]],
    [{ tool_choice: "auto" }, ["tool_choice"]],
    [{ thinking: true }, ["thinking"]],
    [{ thinking: { type: "enabled", budget_tokens: "all" } }, ["thinking", "budget_tokens"]],
    [{ output_config: [] }, ["output_config"]],
    [{ output_config: { effort: 7 } }, ["output_config", "effort"]],
    [{ output_config: { format: "json" } }, ["output_config", "format"]],
    [{ service_tier: 7 }, ["service_tier"]]
  ])("rejects %j, and says where", (body, path) => {
    const parsed = parseMessagesRequest({ messages: [hi], ...body })
    assert.isTrue(Result.isFailure(parsed))
    expect(Result.isFailure(parsed) && parsed.failure.path).toEqual(path)
  })

  it("survives all JSON from a caller", () => {
    const odd = fc.jsonValue({ maxDepth: 3 })
    const block = fc.dictionary(
      fc.constantFrom("type", "text", "source", "content", "input", "id", "name", "__proto__"),
      fc.oneof(odd, fc.constantFrom("text", "image", "document", "tool_use", "tool_result"))
    )
    const body = fc.record(
      {
        messages: fc.array(
          fc.record({
            role: fc.constantFrom("user", "assistant", "system"),
            content: fc.oneof(odd, fc.array(block))
          })
        ),
        system: odd,
        tools: fc.array(fc.oneof(odd, block)),
        tool_choice: block,
        thinking: block,
        output_config: block,
        metadata: odd
      },
      { requiredKeys: [] }
    )
    fc.assert(
      fc.property(body, (each) => {
        expect(() =>
          Result.map(parseMessagesRequest(each), (conversation) => [
            writeMessagesRequest(conversation, { maxOutputTokens: 1 }),
            writeChatRequest(conversation)
          ])
        ).not.toThrow()
      }),
      { numRuns: scaleRuns(1_000) }
    )
  })
})

const findNeed = (body: Readonly<Record<string, unknown>>) => {
  const { turns, ...settings } = parse(body)
  return findMessagesOnlyNeed(settings, turns)
}

describe("findMessagesOnlyNeed", () => {
  it.each([
    [{ container: "c" }, ["container"]],
    [{ mcp_servers: [{}] }, ["mcp_servers"]],
    [{ inference_geo: "us" }, ["inference_geo"]],
    [{ diagnostics: {} }, ["diagnostics"]],
    [{ max_tokens: 0 }, ["max_tokens"]],
    [{ tools: [{ name: "f" }, { type: "bash_20250124", name: "bash" }] }, ["tools", 1]],
    [
      { messages: [hi, { role: "system", content: [{ type: "tool_addition", tool: {} }] }] },
      ["messages"]
    ]
  ])("finds it in %j", (body, path) => {
    expect(findNeed(body)?.path).toEqual(path)
  })

  it.each([
    [{}],
    [{ container: null }],
    [{ context_management: {}, speed: "fast", metadata: {}, unknown: 1 }],
    [{ messages: [{ role: "assistant", content: [{ type: "server_tool_use" }] }] }]
  ])("finds none in %j", (body) => {
    expect(findNeed(body)).toBeUndefined()
  })
})

describe("findMessagesUser", () => {
  it.each([
    [{ metadata: { user_id: '{"session":1}' } }, '{"session":1}'],
    [{ metadata: { user_id: "x".repeat(257) } }, undefined],
    [{ metadata: { user_id: "" } }, undefined],
    [{ metadata: { user_id: 7 } }, undefined],
    [{ metadata: "u" }, undefined],
    [{}, undefined]
  ])("reads %j", (body, user) => {
    assert.strictEqual(findMessagesUser(body), user)
  })
})
