/** What callers send in ways that a provider of another API would refuse, or not understand, is said in its own way. */
import { describe, expect, test } from "vitest"
import { inboundApis } from "../dialects/InboundApi.ts"
import type { Json } from "../dialects/NativeAnswer.ts"
import type { ProviderDialect } from "../dialects/ProviderDialect.ts"
import { speak } from "../dialects/speak.ts"
import { startOddServer } from "./OddServer.ts"

interface LostRequest {
  readonly name: string
  readonly api: "chat" | "messages" | "responses"
  readonly request: Json
  /** What of the request the provider is sent; undefined: Signalbox refuses it. */
  readonly sent: Readonly<Partial<Record<ProviderDialect, Json | undefined>>>
}

const calm = speak({ said: [{ text: ["All is calm."] }] })
const user = (content: unknown): Json => ({ role: "user", content })
const call = { id: "a", type: "function", function: { name: "look", arguments: '{"at":1}' } }
const stored = { type: "file", file_id: "file_1" }
const pdf = "JVBERi0xLjQ="
const schema = {
  type: "object",
  properties: {
    at: { type: "integer", minimum: 0, format: "int64" },
    from: { oneOf: [{ type: "string" }, { type: "null" }] }
  },
  required: ["at", "from"],
  additionalProperties: false
}

const cases: ReadonlyArray<LostRequest> = [
  {
    name: "the role developer",
    api: "chat",
    request: { messages: [{ role: "developer", content: "Be brief." }, user("Calm?")] },
    sent: { chat: { messages: [{ role: "system", content: "Be brief." }, user("Calm?")] } }
  },
  {
    name: "instructions alone",
    api: "chat",
    request: { messages: [{ role: "system", content: "Say that it is calm." }] },
    sent: {
      messages: { messages: [user([{ type: "text", text: "Say that it is calm." }])] },
      gemini: { contents: [{ role: "user", parts: [{ text: "Say that it is calm." }] }] }
    }
  },
  {
    name: "a user who says nothing",
    api: "chat",
    request: { messages: [user(""), { role: "assistant", content: "Hm?" }, user("Calm?")] },
    sent: {
      gemini: {
        contents: [
          { role: "user", parts: [{ text: "(empty)" }] },
          { role: "model", parts: [{ text: "Hm?" }] },
          { role: "user", parts: [{ text: "Calm?" }] }
        ]
      }
    }
  },
  {
    name: "calls in a conversation that offers no tools any more",
    api: "chat",
    request: {
      messages: [
        user("Calm?"),
        { role: "assistant", content: null, tool_calls: [call] },
        { role: "tool", tool_call_id: "a", content: "Yes." }
      ]
    },
    sent: {
      messages: {
        tools: [{ name: "look", input_schema: { type: "object" } }],
        tool_choice: { type: "none" }
      }
    }
  },
  {
    name: "the same in the words of Anthropic",
    api: "messages",
    request: {
      messages: [
        user("Calm?"),
        { role: "assistant", content: [{ type: "tool_use", id: "a", name: "look", input: {} }] },
        user([{ type: "tool_result", tool_use_id: "a", content: "Yes." }])
      ]
    },
    sent: {
      messages: {
        tools: [{ name: "look", input_schema: { type: "object" } }],
        tool_choice: { type: "none" }
      }
    }
  },
  {
    name: "a strict schema",
    api: "chat",
    request: {
      messages: [user("Calm?")],
      tools: [{ type: "function", function: { name: "look", strict: true, parameters: schema } }]
    },
    sent: {
      messages: {
        tools: [
          {
            strict: true,
            input_schema: {
              type: "object",
              properties: {
                at: { type: "integer", description: "{minimum: 0, format: int64}" },
                from: { anyOf: [{ type: "string" }, { type: "null" }] }
              },
              required: ["at", "from"],
              additionalProperties: false
            }
          }
        ]
      }
    }
  },
  {
    name: "a long name of a tool",
    api: "chat",
    request: {
      messages: [user("Calm?")],
      tools: [{ type: "function", function: { name: "x".repeat(80) } }]
    },
    sent: { gemini: { tools: [{ functionDeclarations: [{ name: "x".repeat(64) }] }] } }
  },
  {
    name: "some of the tools to choose from",
    api: "responses",
    request: {
      input: "Calm?",
      tools: ["look", "listen"].map((name) => ({ type: "function", name, parameters: null })),
      tool_choice: {
        type: "allowed_tools",
        mode: "required",
        tools: [{ type: "function", name: "look" }]
      }
    },
    sent: {
      chat: { tool_choice: "required", tools: [{ type: "function", function: { name: "look" } }] }
    }
  },
  {
    name: "a file in base64 without its type",
    api: "responses",
    request: {
      input: [user([{ type: "input_file", filename: "a.pdf", file_data: pdf }])]
    },
    sent: {
      chat: {
        messages: [
          user([
            {
              type: "file",
              file: { filename: "a.pdf", file_data: `data:application/pdf;base64,${pdf}` }
            }
          ])
        ]
      },
      messages: {
        messages: [
          user([
            {
              type: "document",
              source: { type: "base64", media_type: "application/pdf", data: pdf }
            }
          ])
        ]
      }
    }
  },
  {
    name: "the output of a tool as an object, and arguments, too",
    api: "responses",
    request: {
      input: [
        user("Calm?"),
        { type: "function_call", call_id: "a", name: "look", arguments: { at: 1 } },
        { type: "function_call_output", call_id: "a", output: { sea: "calm" } }
      ]
    },
    sent: {
      chat: {
        messages: [
          user("Calm?"),
          { tool_calls: [call] },
          { role: "tool", tool_call_id: "a", content: '{"sea":"calm"}' }
        ]
      },
      responses: {
        input: [
          user("Calm?"),
          { type: "function_call", arguments: '{"at":1}' },
          { type: "function_call_output", output: '{"sea":"calm"}' }
        ]
      }
    }
  },
  {
    name: "what the provider of another API ran, alone in its turn",
    api: "responses",
    request: {
      input: [
        user("Calm?"),
        { type: "web_search_call", id: "ws_1", status: "completed" },
        user("And now?")
      ]
    },
    sent: { chat: { messages: [user("Calm?"), user("And now?")] } }
  },
  ...[
    { type: "image", source: stored },
    { type: "document", source: stored }
  ].flatMap((block): ReadonlyArray<LostRequest> => {
    const content = [{ type: "text", text: "What is it?" }, block]
    const result = [{ type: "tool_result", tool_use_id: "a", content: [block] }]
    const use = { type: "tool_use", id: "a", name: "look", input: {} }
    const tools = [{ name: "look", input_schema: { type: "object" } }]
    const others = { chat: undefined, gemini: undefined, responses: undefined }
    return [
      {
        name: `a file that Anthropic keeps, in a block ${block.type}`,
        api: "messages",
        request: { messages: [user(content)] },
        sent: { messages: { messages: [user(content)] }, ...others }
      },
      {
        name: `the same in a result, in a block ${block.type}`,
        api: "messages",
        request: {
          tools,
          messages: [user("Look."), { role: "assistant", content: [use] }, user(result)]
        },
        sent: { messages: { messages: [user("Look."), {}, user(result)] }, ...others }
      }
    ]
  }),
  {
    name: "how to draw the next words, to a model that refuses to be told",
    api: "messages",
    request: { messages: [user("Calm?")], temperature: 0.5, top_k: 5, top_p: 0.9 },
    sent: { messages: { messages: [user("Calm?")] } }
  }
]

const rows = cases.flatMap(({ sent, ...rest }) =>
  Object.entries(sent).map(([provider, expected]) => ({
    ...rest,
    provider: provider as ProviderDialect,
    expected
  }))
)

describe.each([false, true])("streamed: %s", (isStreamed) => {
  test.each(rows)("$name, by $api to $provider", async ({ api, expected, provider, request }) => {
    const { ask, server } = await startOddServer()
    const inbound = inboundApis.find(({ name }) => name === api)!
    const { content, error, sent } = await ask({ api: inbound, isStreamed }, calm[provider], {
      provider,
      request: { ...(api === "messages" ? { max_tokens: 1_000 } : undefined), ...request }
    })
    expect([error?.code, content]).toEqual(
      expected === undefined ? [400, ""] : [undefined, "All is calm."]
    )
    expect(server.requests).toHaveLength(expected === undefined ? 0 : 1)
    expect(sent).toMatchObject(expected ?? {})
    expect(Object.keys(sent)).not.toContain("top_k")
  })
})
