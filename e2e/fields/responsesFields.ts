/** What happens to each field of a request to the Responses API. */
import type { FieldRow } from "./FieldRow.ts"

export const responsesFields: ReadonlyArray<FieldRow> = [
  { field: "background", at: "refused", request: { background: true } },
  {
    field: "cache_control",
    at: "passed passed told passed",
    request: { cache_control: { type: "ephemeral" } }
  },
  { field: "conversation", at: "refused", request: { conversation: "c" } },
  {
    field: "context_management",
    at: "told told told passed",
    request: { context_management: [{ type: "compaction", compact_threshold: 1000 }] }
  },
  { field: "debug", at: "told", request: { debug: { echo_upstream_body: true } } },
  {
    field: "frequency_penalty",
    at: "passed told passed passed",
    request: { frequency_penalty: 0.5 }
  },
  {
    field: "image_config",
    at: "passed told told passed",
    request: { image_config: { aspect_ratio: "16:9" } }
  },
  {
    field: "include[]: reasoning.encrypted_content",
    at: "done done done passed",
    request: { include: ["reasoning.encrypted_content"] },
    note: "always asked for"
  },
  {
    field: "include[]: web_search_call.action.sources",
    at: "told told told passed",
    request: { include: ["web_search_call.action.sources"] }
  },
  {
    field: "include[]: message.output_text.logprobs",
    at: "passed told passed passed",
    request: { include: ["message.output_text.logprobs"] }
  },
  { field: "instructions", at: "passed", request: { instructions: "Be brief" } },
  { field: "max_output_tokens", at: "passed", request: { max_output_tokens: 100 } },
  { field: "max_tool_calls", at: "told told told passed", request: { max_tool_calls: 3 } },
  {
    field: "metadata",
    at: "done done done passed",
    request: { metadata: { a: "b" } },
    note: "the response repeats it"
  },
  {
    field: "modalities",
    at: "passed told told passed",
    request: { modalities: ["image", "text"] }
  },
  {
    field: "models",
    at: "done",
    request: { models: ["proof/other"] },
    note: "the models to fall back to"
  },
  {
    field: "parallel_tool_calls",
    at: "passed passed told passed",
    request: {
      tools: [{ type: "function", name: "look", parameters: { type: "object", properties: {} } }],
      parallel_tool_calls: false
    },
    without: {
      tools: [{ type: "function", name: "look", parameters: { type: "object", properties: {} } }]
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
    field: "presence_penalty",
    at: "passed told passed passed",
    request: { presence_penalty: 0.5 }
  },
  { field: "previous_response_id", at: "refused", request: { previous_response_id: "r" } },
  { field: "prompt", at: "refused", request: { prompt: { id: "p" } } },
  {
    field: "prompt_cache_key",
    at: "done done done passed",
    request: { prompt_cache_key: "k" },
    note: "decides the endpoint"
  },
  {
    field: "prompt_cache_options",
    at: "told told told passed",
    request: { prompt_cache_options: { mode: "explicit" } }
  },
  {
    field: "prompt_cache_retention",
    at: "told told told passed",
    request: { prompt_cache_retention: "24h" }
  },
  { field: "reasoning.effort", at: "passed", request: { reasoning: { effort: "low" } } },
  {
    field: "reasoning.summary",
    at: "told passed passed passed",
    atOpenRouter: "passed",
    request: { reasoning: { effort: "low", summary: "auto" } },
    without: { reasoning: { effort: "low" } }
  },
  {
    field: "reasoning.context",
    at: "told told told passed",
    request: { reasoning: { effort: "low", context: "all" } },
    without: { reasoning: { effort: "low" } }
  },
  {
    field: "reasoning.mode",
    at: "told told told passed",
    request: { reasoning: { effort: "low", mode: "pro" } },
    without: { reasoning: { effort: "low" } }
  },
  { field: "reasoning.enabled", at: "passed", request: { reasoning: { enabled: true } } },
  { field: "reasoning.max_tokens", at: "passed", request: { reasoning: { max_tokens: 2000 } } },
  { field: "safety_identifier", at: "told told told passed", request: { safety_identifier: "s" } },
  {
    field: "service_tier",
    at: "done done done passed",
    request: { service_tier: "default" },
    note: "what is done anyway"
  },
  {
    field: "service_tier: auto",
    at: "done done done passed",
    request: { service_tier: "auto" },
    note: "what is done anyway"
  },
  {
    field: "stop_server_tools_when",
    at: "told",
    atOpenRouter: "passed",
    request: { stop_server_tools_when: [{ type: "step_count_is", step_count: 2 }] }
  },
  {
    field: "store: false",
    at: "done done done passed",
    request: { store: false },
    note: "responses are never stored"
  },
  {
    field: "store: true",
    at: "refused",
    request: { store: true },
    note: "responses are never stored"
  },
  {
    field: "stream_options.include_obfuscation",
    at: "told told told passed",
    request: { stream_options: { include_obfuscation: true } }
  },
  { field: "temperature", at: "passed told passed passed", request: { temperature: 0.5 } },
  {
    field: "text.format: json_object",
    at: "passed told passed passed",
    request: { text: { format: { type: "json_object" } } }
  },
  {
    field: "text.format: json_schema",
    at: "passed",
    request: {
      text: {
        format: {
          type: "json_schema",
          name: "a",
          schema: { type: "object", properties: {}, additionalProperties: false }
        }
      }
    }
  },
  {
    field: "text.format: text",
    at: "passed done passed passed",
    request: { text: { format: { type: "text" } } },
    note: "what providers answer anyway"
  },
  {
    field: "text.format.strict",
    at: "passed done done passed",
    request: {
      text: {
        format: {
          type: "json_schema",
          name: "a",
          schema: { type: "object", properties: {}, additionalProperties: false },
          strict: true
        }
      }
    },
    without: {
      text: {
        format: {
          type: "json_schema",
          name: "a",
          schema: { type: "object", properties: {}, additionalProperties: false }
        }
      }
    },
    note: "other APIs always keep to the schema"
  },
  {
    field: "text.verbosity",
    at: "passed told told passed",
    request: { text: { verbosity: "low" } }
  },
  {
    field: "tools",
    at: "passed",
    request: {
      tools: [{ type: "function", name: "look", parameters: { type: "object", properties: {} } }]
    }
  },
  {
    field: "tools[].strict",
    at: "passed passed told passed",
    request: {
      tools: [
        {
          type: "function",
          name: "look",
          parameters: { type: "object", properties: {} },
          strict: true
        }
      ]
    },
    without: {
      tools: [{ type: "function", name: "look", parameters: { type: "object", properties: {} } }]
    }
  },
  {
    field: "tools[].defer_loading",
    at: "told told told passed",
    request: {
      tools: [
        {
          type: "function",
          name: "look",
          parameters: { type: "object", properties: {} },
          defer_loading: true
        }
      ]
    },
    without: {
      tools: [{ type: "function", name: "look", parameters: { type: "object", properties: {} } }]
    }
  },
  {
    field: "tools[].unknown",
    at: "told told told passed",
    request: {
      tools: [
        {
          type: "function",
          name: "look",
          parameters: { type: "object", properties: {} },
          unknown: true
        }
      ]
    },
    without: {
      tools: [{ type: "function", name: "look", parameters: { type: "object", properties: {} } }]
    }
  },
  {
    field: "tools[]: web_search",
    at: "told told told passed",
    request: { tools: [{ type: "web_search" }] }
  },
  { field: "tools[]: custom", at: "passed", request: { tools: [{ type: "custom", name: "a" }] } },
  {
    field: "tools[]: openrouter:web_search",
    at: "told told told passed",
    request: { tools: [{ type: "openrouter:web_search" }] }
  },
  {
    field: "tool_choice",
    at: "passed",
    request: {
      tools: [{ type: "function", name: "look", parameters: { type: "object", properties: {} } }],
      tool_choice: "required"
    },
    without: {
      tools: [{ type: "function", name: "look", parameters: { type: "object", properties: {} } }]
    }
  },
  { field: "top_k", at: "passed told passed passed", request: { top_k: 4 } },
  { field: "top_logprobs", at: "told told told passed", request: { top_logprobs: 2 } },
  { field: "top_p", at: "passed told passed passed", request: { top_p: 0.5 } },
  {
    field: "trace",
    at: "done",
    request: { trace: { trace_id: "t" } },
    note: "in the record and in spans"
  },
  { field: "truncation: auto", at: "told told told passed", request: { truncation: "auto" } },
  {
    field: "truncation: disabled",
    at: "done done done passed",
    request: { truncation: "disabled" },
    note: "what is done anyway"
  },
  {
    field: "user",
    at: "done",
    request: { user: "u" },
    note: "in the record; budgets may count it"
  },
  {
    field: "session_id",
    at: "done",
    request: { session_id: "u" },
    note: "in the record; decides the endpoint"
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
  { field: "unknown", at: "passed told told passed", request: { unknown: "x" } },
  { field: "moderation", at: "told told told passed", request: { moderation: { model: "omni" } } },
  {
    field: "input[].unknown",
    at: "told told told passed",
    request: { input: [{ type: "message", role: "user", content: "Is it calm?", unknown: 1 }] },
    without: { input: [{ type: "message", role: "user", content: "Is it calm?" }] }
  },
  {
    field: "input[].id",
    at: "done done done passed",
    request: {
      input: [
        { type: "message", role: "user", content: "Is it calm?" },
        {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: "Yes" }],
          id: "msg_1"
        },
        { type: "message", role: "user", content: "And now?" }
      ]
    },
    without: {
      input: [
        { type: "message", role: "user", content: "Is it calm?" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Yes" }] },
        { type: "message", role: "user", content: "And now?" }
      ]
    },
    note: "names an item of an earlier answer, which other APIs do not"
  },
  {
    field: "input[].status",
    at: "done done done passed",
    request: {
      input: [
        { type: "message", role: "user", content: "Is it calm?" },
        {
          type: "message",
          role: "assistant",
          content: [{ type: "output_text", text: "Yes" }],
          status: "completed"
        },
        { type: "message", role: "user", content: "And now?" }
      ]
    },
    without: {
      input: [
        { type: "message", role: "user", content: "Is it calm?" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Yes" }] },
        { type: "message", role: "user", content: "And now?" }
      ]
    },
    note: "how an earlier answer ended, which other APIs do not ask"
  },
  {
    field: "input[].content[].annotations",
    at: "told told told passed",
    request: {
      input: [
        { type: "message", role: "user", content: "Is it calm?" },
        {
          type: "message",
          role: "assistant",
          content: [
            {
              type: "output_text",
              text: "Yes",
              annotations: [
                {
                  type: "url_citation",
                  url: "https://a.example",
                  title: "A",
                  start_index: 0,
                  end_index: 3
                }
              ]
            }
          ]
        },
        { type: "message", role: "user", content: "And now?" }
      ]
    },
    without: {
      input: [
        { type: "message", role: "user", content: "Is it calm?" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Yes" }] },
        { type: "message", role: "user", content: "And now?" }
      ]
    },
    note: "told once, wherever they stand; an empty list is not told"
  },
  {
    field: "input[].content[].logprobs",
    at: "told told told passed",
    request: {
      input: [
        { type: "message", role: "user", content: "Is it calm?" },
        {
          type: "message",
          role: "assistant",
          content: [
            {
              type: "output_text",
              text: "Yes",
              logprobs: [{ token: "Yes", logprob: -0.1, bytes: [], top_logprobs: [] }]
            }
          ]
        },
        { type: "message", role: "user", content: "And now?" }
      ]
    },
    without: {
      input: [
        { type: "message", role: "user", content: "Is it calm?" },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "Yes" }] },
        { type: "message", role: "user", content: "And now?" }
      ]
    },
    note: "told once, wherever they stand; an empty list is not told"
  },
  {
    field: "input[].phase",
    at: "told told told passed",
    request: {
      input: [
        { type: "message", role: "user", content: "Is it calm?" },
        { type: "message", role: "assistant", content: "Yes", phase: "commentary" },
        { type: "message", role: "user", content: "Is it calm?" }
      ]
    },
    without: {
      input: [
        { type: "message", role: "user", content: "Is it calm?" },
        { type: "message", role: "assistant", content: "Yes" },
        { type: "message", role: "user", content: "Is it calm?" }
      ]
    }
  },
  {
    field: "input[].content[].detail",
    at: "passed told told passed",
    request: {
      input: [
        {
          type: "message",
          role: "user",
          content: [
            { type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=", detail: "low" }
          ]
        }
      ]
    },
    without: {
      input: [
        {
          type: "message",
          role: "user",
          content: [{ type: "input_image", image_url: "data:image/png;base64,iVBORw0KGgo=" }]
        }
      ]
    }
  },
  {
    field: "input[].content[].unknown",
    at: "told told told passed",
    request: {
      input: [
        { type: "message", role: "user", content: [{ type: "input_text", text: "x", unknown: 1 }] }
      ]
    },
    without: {
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "x" }] }]
    }
  }
]
