/** What happens to each field of a request to the Messages API. */
import type { FieldRow } from "./FieldRow.ts"

export const messagesFields: ReadonlyArray<FieldRow> = [
  {
    field: "cache_control",
    at: "passed passed told told",
    request: { cache_control: { type: "ephemeral" } }
  },
  { field: "container", at: "refused passed refused refused", request: { container: "c_1" } },
  {
    field: "context_management",
    at: "told passed told told",
    request: { context_management: { edits: [{ type: "clear_tool_uses_20250919" }] } }
  },
  {
    field: "fallbacks",
    at: "done",
    request: { fallbacks: [{ model: "proof/other" }] },
    note: "the models to fall back to"
  },
  {
    field: "mcp_servers",
    at: "refused passed refused refused",
    request: { mcp_servers: [{ type: "url", url: "https://m.example", name: "m" }] }
  },
  { field: "inference_geo", at: "refused", request: { inference_geo: "us" } },
  {
    field: "metadata.user_id",
    at: "done passed done done",
    request: { metadata: { user_id: "u" } },
    note: "the user of the record"
  },
  {
    field: "metadata.unknown",
    at: "told passed told told",
    request: { metadata: { unknown: "u" } }
  },
  { field: "output_config.effort", at: "passed", request: { output_config: { effort: "low" } } },
  {
    field: "output_config.format",
    at: "passed",
    request: {
      output_config: {
        format: {
          type: "json_schema",
          schema: { type: "object", properties: {}, additionalProperties: false }
        }
      }
    }
  },
  {
    field: "output_config.task_budget",
    at: "told passed told told",
    request: { output_config: { task_budget: { type: "tokens", total: 20000 } } }
  },
  {
    field: "output_format",
    at: "passed",
    request: {
      output_format: {
        type: "json_schema",
        schema: { type: "object", properties: {}, additionalProperties: false }
      }
    }
  },
  {
    field: "plugins",
    at: "told",
    atOpenRouter: "passed",
    request: { plugins: [{ id: "web" }] },
    note: "`context-compression` and `response-healing` are done as in a chat"
  },
  {
    field: "safeguards",
    at: "told passed told told",
    request: { safeguards: [{ type: "classifier" }] }
  },
  { field: "service_tier", at: "passed", request: { service_tier: "standard_only" } },
  {
    field: "service_tier: auto",
    at: "done passed done done",
    request: { service_tier: "auto" },
    note: "what is done anyway"
  },
  { field: "speed", at: "told refused told told", request: { speed: "fast" } },
  { field: "stop_sequences", at: "passed passed passed told", request: { stop_sequences: ["x"] } },
  {
    field: "stop_server_tools_when",
    at: "told",
    atOpenRouter: "passed",
    request: { stop_server_tools_when: [{ type: "step_count_is", step_count: 2 }] }
  },
  { field: "system", at: "passed", request: { system: "Be brief" } },
  {
    field: "system[].cache_control",
    at: "passed passed told told",
    request: { system: [{ type: "text", text: "Be brief", cache_control: { type: "ephemeral" } }] },
    without: { system: [{ type: "text", text: "Be brief" }] }
  },
  {
    field: "system[].citations",
    at: "told passed told told",
    request: {
      system: [{ type: "text", text: "Be brief", citations: [{ type: "char_location" }] }]
    },
    without: { system: [{ type: "text", text: "Be brief" }] },
    note: "told once, wherever they stand; an empty list is not told"
  },
  { field: "temperature", at: "passed told passed told", request: { temperature: 0.5 } },
  {
    field: "thinking: enabled",
    at: "passed told passed passed",
    request: { thinking: { type: "enabled", budget_tokens: 2000 } }
  },
  { field: "thinking: adaptive", at: "passed", request: { thinking: { type: "adaptive" } } },
  {
    field: "thinking.display",
    at: "done passed done done",
    request: { thinking: { type: "adaptive", display: "summarized" } },
    without: { thinking: { type: "adaptive" } },
    note: "what is shown of the thoughts"
  },
  {
    field: "thinking.block_binding",
    at: "told passed told told",
    request: { thinking: { type: "adaptive", block_binding: "x" } },
    without: { thinking: { type: "adaptive" } }
  },
  {
    field: "thinking: disabled",
    at: "passed",
    request: { thinking: { type: "disabled" } }
  },
  {
    field: "tools",
    at: "passed",
    request: { tools: [{ name: "look", input_schema: { type: "object", properties: {} } }] }
  },
  {
    field: "tools[].strict",
    at: "passed passed told passed",
    request: {
      tools: [{ name: "look", strict: true, input_schema: { type: "object", properties: {} } }]
    },
    without: { tools: [{ name: "look", input_schema: { type: "object", properties: {} } }] }
  },
  {
    field: "tools[].defer_loading",
    at: "told passed told told",
    request: {
      tools: [
        { name: "look", defer_loading: true, input_schema: { type: "object", properties: {} } }
      ]
    },
    without: { tools: [{ name: "look", input_schema: { type: "object", properties: {} } }] }
  },
  {
    field: "tools[].allowed_callers",
    at: "told passed told told",
    request: {
      tools: [
        {
          name: "look",
          allowed_callers: ["direct"],
          input_schema: { type: "object", properties: {} }
        }
      ]
    },
    without: { tools: [{ name: "look", input_schema: { type: "object", properties: {} } }] }
  },
  {
    field: "tools[].cache_control",
    at: "passed passed told told",
    request: {
      tools: [
        {
          name: "look",
          cache_control: { type: "ephemeral" },
          input_schema: { type: "object", properties: {} }
        }
      ]
    },
    without: { tools: [{ name: "look", input_schema: { type: "object", properties: {} } }] }
  },
  {
    field: "tools[].input_examples",
    at: "told passed told told",
    request: {
      tools: [
        { name: "look", input_examples: [{}], input_schema: { type: "object", properties: {} } }
      ]
    },
    without: { tools: [{ name: "look", input_schema: { type: "object", properties: {} } }] }
  },
  {
    field: "tools[].eager_input_streaming",
    at: "done passed done done",
    request: {
      tools: [
        {
          name: "look",
          eager_input_streaming: true,
          input_schema: { type: "object", properties: {} }
        }
      ]
    },
    without: { tools: [{ name: "look", input_schema: { type: "object", properties: {} } }] },
    note: "other providers always stream the input"
  },
  {
    field: "tools[]: web_search_20250305",
    at: "refused passed refused refused",
    request: { tools: [{ type: "web_search_20250305", name: "web_search" }] }
  },
  {
    field: "tool_choice",
    at: "passed passed told passed",
    request: {
      tools: [{ name: "look", input_schema: { type: "object", properties: {} } }],
      tool_choice: { type: "auto", disable_parallel_tool_use: true }
    },
    without: { tools: [{ name: "look", input_schema: { type: "object", properties: {} } }] }
  },
  { field: "top_k", at: "passed told passed told", request: { top_k: 4 } },
  { field: "top_p", at: "passed told passed told", request: { top_p: 0.5 } },
  {
    field: "trace",
    at: "done",
    request: { trace: { trace_id: "t" } },
    note: "in the record and in spans"
  },
  {
    field: "user",
    at: "done",
    request: { user: "u" },
    note: "in the record; budgets may count it"
  },
  { field: "user_profile_id", at: "told passed told told", request: { user_profile_id: "u" } },
  {
    field: "diagnostics",
    at: "refused passed refused refused",
    request: { diagnostics: { a: 1 } }
  },
  {
    field: "session_id",
    at: "done",
    request: { session_id: "u" },
    note: "in the record; decides the endpoint"
  },
  {
    field: "models",
    at: "done",
    request: { models: ["proof/other"] },
    note: "the models to fall back to"
  },
  {
    field: "route",
    at: "done",
    request: { route: "sort" },
    note: "sorts over the endpoints of all models"
  },
  {
    field: "transforms",
    at: "told",
    atOpenRouter: "passed",
    request: { transforms: ["middle-out"] },
    note: "as in a chat"
  },
  { field: "debug", at: "told", request: { debug: { echo_upstream_body: true } } },
  { field: "unknown", at: "told passed told told", request: { unknown: "x" } },
  {
    field: "messages[].unknown",
    at: "told passed told told",
    request: { messages: [{ role: "user", content: "Is it calm?", unknown: 1 }] }
  },
  {
    field: "messages[].clear_at",
    at: "told passed told told",
    request: { messages: [{ role: "user", content: "Is it calm?", clear_at: { type: "x" } }] }
  },
  {
    field: "messages[].output_config",
    at: "told passed told told",
    request: {
      messages: [{ role: "user", content: "Is it calm?", output_config: { effort: "low" } }]
    }
  },
  {
    field: "messages[].content[].cache_control",
    at: "passed passed told told",
    request: {
      messages: [
        {
          role: "user",
          content: [{ type: "text", text: "Is it calm?", cache_control: { type: "ephemeral" } }]
        }
      ]
    },
    without: { messages: [{ role: "user", content: [{ type: "text", text: "Is it calm?" }] }] }
  },
  {
    field: "messages[].content[].unknown",
    at: "told passed told told",
    request: {
      messages: [{ role: "user", content: [{ type: "text", text: "Is it calm?", unknown: 1 }] }]
    },
    without: { messages: [{ role: "user", content: [{ type: "text", text: "Is it calm?" }] }] }
  },
  {
    field: "messages[].content[].title",
    at: "passed",
    request: {
      messages: [
        {
          role: "user",
          content: [
            {
              type: "document",
              title: "T",
              source: { type: "text", media_type: "text/plain", data: "x" }
            }
          ]
        }
      ]
    },
    without: {
      messages: [
        {
          role: "user",
          content: [
            { type: "document", source: { type: "text", media_type: "text/plain", data: "x" } }
          ]
        }
      ]
    }
  },
  {
    field: "messages[].content[].title: of a PDF",
    at: "passed",
    request: {
      messages: [
        {
          role: "user",
          content: [
            {
              type: "document",
              title: "T",
              source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" }
            }
          ]
        }
      ]
    },
    without: {
      messages: [
        {
          role: "user",
          content: [
            {
              type: "document",
              source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" }
            }
          ]
        }
      ]
    },
    note: "a text before the file where the API has no names"
  },
  {
    field: "messages[].content[].citations",
    at: "told passed told told",
    request: {
      messages: [
        {
          role: "user",
          content: [
            {
              type: "document",
              citations: { enabled: true },
              source: { type: "text", media_type: "text/plain", data: "x" }
            }
          ]
        }
      ]
    },
    without: {
      messages: [
        {
          role: "user",
          content: [
            { type: "document", source: { type: "text", media_type: "text/plain", data: "x" } }
          ]
        }
      ]
    }
  },
  {
    field: "messages[].content[].context",
    at: "passed",
    request: {
      messages: [
        {
          role: "user",
          content: [
            {
              type: "document",
              context: "c",
              source: { type: "text", media_type: "text/plain", data: "x" }
            }
          ]
        }
      ]
    },
    without: {
      messages: [
        {
          role: "user",
          content: [
            { type: "document", source: { type: "text", media_type: "text/plain", data: "x" } }
          ]
        }
      ]
    }
  }
]
