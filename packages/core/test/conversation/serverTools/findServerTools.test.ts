import { assert, describe, it } from "@effect/vitest"
import type { Dialect } from "../../../src/conversation/Dialect.ts"
import { findServerTools } from "../../../src/conversation/serverTools/findServerTools.ts"
import { findToolModels } from "../../../src/conversation/serverTools/findToolModels.ts"

type Json = Readonly<Record<string, unknown>>

const tool = (type: string, fields: Json = {}): Json => ({ tools: [{ type, ...fields }] })

describe("findServerTools", () => {
  it.each<readonly [Dialect, Json, string]>([
    ["chat", { web_search_options: {} }, "web_search_options"],
    ["chat", { search_parameters: { mode: "auto" } }, "search_parameters"],
    ["chat", { enable_search: true }, "enable_search"],
    ["chat", { data_sources: [{ type: "azure_search" }] }, "data_sources"],
    ["chat", { enable_web_search: true }, "enable_web_search"],
    ["chat", { web_search: { enable: true } }, "web_search"],
    ["chat", { extra_body: { enable_search: true } }, "extra_body.enable_search"],
    [
      "chat",
      { extra_body: { google: { cached_content: "c" } } },
      "extra_body.google.cached_content"
    ],
    [
      "chat",
      { venice_parameters: { enable_web_search: "on" } },
      "venice_parameters.enable_web_search"
    ],
    ["chat", { connectors: [{ id: "web-search" }] }, "connectors"],
    ["chat", { mcp_servers: [{ url: "https://a.example" }] }, "mcp_servers"],
    ["chat", { dataSources: [{ type: "azure_search" }] }, "dataSources"],
    ["chat", { agent_id: "ag_1" }, "agent_id"],
    ["chat", { tools: { type: "web_search" } }, "tools"],
    ["chat", tool("openrouter:web_search"), "tools.0"],
    ["chat", tool("builtin_function", { function: { name: "$web_search" } }), "tools.0"],
    ["chat", { tools: [{ google_search: {} }] }, "tools.0"],
    ["chat", tool("unheard_of"), "tools.0"],
    ["messages", tool("web_search_20250305"), "tools.0"],
    ["messages", tool("web_fetch_20250910"), "tools.0"],
    ["messages", tool("code_execution_20250825"), "tools.0"],
    ["messages", tool("advisor_20260301", { model: "m" }), "tools.0"],
    ["messages", tool("unheard_of"), "tools.0"],
    ["messages", { mcp_servers: [{ type: "url", url: "https://a.example" }] }, "mcp_servers"],
    [
      "messages",
      {
        messages: [
          {
            role: "system",
            content: [{ type: "tool_addition", tool: { type: "web_search_20250305" } }]
          }
        ]
      },
      "messages.0.content.0.0"
    ],
    ["responses", tool("web_search"), "tools.0"],
    ["responses", tool("web_search_preview_2025_03_11"), "tools.0"],
    ["responses", tool("file_search"), "tools.0"],
    ["responses", tool("mcp"), "tools.0"],
    ["responses", tool("code_interpreter"), "tools.0"],
    ["responses", tool("image_generation"), "tools.0"],
    ["responses", tool("shell", { environment: { type: "container_auto" } }), "tools.0"],
    ["responses", tool("web_search", { execution: "client" }), "tools.0"],
    ["responses", tool("namespace", { tools: [{ type: "web_search" }] }), "tools.0.tools.0"],
    ["responses", { web_search_options: {} }, "web_search_options"],
    ["responses", { previous_response_id: "resp_1" }, "previous_response_id"],
    ["responses", { prompt: { id: "pmpt_1" } }, "prompt"],
    ["gemini", { tools: [{ googleSearch: {} }] }, "tools.0"],
    ["gemini", { tools: [{ url_context: {} }] }, "tools.0"],
    ["gemini", { cachedContent: "cachedContents/1" }, "cachedContent"]
  ])("finds what the provider runs in %s: %j", (dialect, body, path) => {
    assert.deepStrictEqual(
      findServerTools(dialect, body)?.map((each) => each.path),
      [path]
    )
  })

  it.each<readonly [Dialect, Json]>([
    ["chat", {}],
    ["chat", { web_search_options: null }],
    ["chat", { enable_search: false }],
    ["chat", { search_parameters: { mode: "off" } }],
    ["chat", { disable_search: true }],
    ["chat", { use_beam_search: true }],
    ["chat", { web_search: { enable: false } }],
    ["chat", { venice_parameters: { enable_web_search: "off" } }],
    ["chat", { stream_options: { include_usage: true }, metadata: { search: "no" } }],
    ["chat", { tools: [{ type: "function", function: { name: "f" } }] }],
    ["chat", { tools: [{ function: { name: "f" } }] }],
    ["chat", tool("custom")],
    ["messages", { tools: [{ name: "f", input_schema: {} }] }],
    ["messages", tool("custom")],
    ["messages", tool("bash_20250124")],
    ["messages", tool("text_editor_20250728")],
    ["messages", tool("computer_20250124")],
    ["messages", tool("memory_20250818")],
    ["messages", { mcp_servers: [] }],
    ["responses", tool("function")],
    ["responses", tool("namespace")],
    ["responses", tool("local_shell")],
    ["responses", tool("apply_patch")],
    ["responses", tool("computer_use_preview")],
    ["responses", tool("shell", { environment: { type: "local" } })],
    ["responses", tool("tool_search", { execution: "client" })],
    ["responses", { input: [{ type: "mcp_list_tools", tools: [{ name: "f" }] }] }],
    ["gemini", { tools: [{ functionDeclarations: [] }] }]
  ])("finds nothing in %s: %j", (dialect, body) => {
    assert.isUndefined(findServerTools(dialect, body))
  })

  it("reads the bounds of the request", () => {
    assert.deepInclude(
      findServerTools("messages", tool("web_search_20250305", { max_uses: 3 }))?.[0],
      {
        fee: "search",
        maxCalls: 3
      }
    )
    const [call] = findServerTools("responses", { ...tool("web_search"), max_tool_calls: 2 }) ?? []
    assert.deepInclude(call, { maxCalls: 2, maxTurns: 3 })
  })
})

describe("findToolModels", () => {
  it.each<readonly [Dialect, Json, string]>([
    ["messages", tool("advisor_20260301", { model: "m" }), "tools.0.model"],
    ["responses", tool("image_generation", { model: "m" }), "tools.0.model"],
    [
      "chat",
      tool("openrouter:fusion", { parameters: { analysis_models: ["m"] } }),
      "tools.0.parameters.analysis_models"
    ],
    [
      "chat",
      tool("openrouter:advisor", { parameters: { model: "m" } }),
      "tools.0.parameters.model"
    ],
    [
      "chat",
      tool("openrouter:fusion", { parameters: { judge: { model: "m" } } }),
      "tools.0.parameters.judge.model"
    ],
    [
      "chat",
      tool("openrouter:fusion", { parameters: { panel: [{ model: "m" }] } }),
      "tools.0.parameters.panel.0.model"
    ],
    ["messages", tool("agent_20300101", { config: { model_id: "m" } }), "tools.0.config.model_id"],
    ["responses", tool("agent", { models: [{ id: "m" }] }), "tools.0.models"],
    [
      "responses",
      tool("namespace", { tools: [{ type: "image_generation", model: "m" }] }),
      "tools.0.tools.0.model"
    ]
  ])("finds the model that a tool of %s names: %j", (dialect, body, path) => {
    assert.deepStrictEqual(findToolModels(dialect, body), [{ path, name: "m" }])
  })

  it("leaves schemas and headers alone", () => {
    const schema = { type: "object", properties: { model: { type: "string" } }, model: "m" }
    const body = tool("mcp", { headers: { model: "m" }, input_schema: schema })
    assert.deepStrictEqual(findToolModels("responses", body), [])
  })

  it("leaves functions alone", () => {
    const declared = { type: "function", model: "m", function: { name: "f" } }
    assert.deepStrictEqual(findToolModels("chat", { tools: [declared] }), [])
  })
})
