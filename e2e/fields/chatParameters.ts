/** What happens to each parameter of a chat. */
import type { FieldRow } from "./FieldRow.ts"

export const chatParameters: ReadonlyArray<FieldRow> = [
  {
    field: "cache_control",
    at: "passed passed told told",
    request: { cache_control: { type: "ephemeral" } },
    note: "told once, wherever it stands: other providers cache by themselves"
  },
  {
    field: "debug",
    at: "told",
    request: { debug: { echo_upstream_body: true } },
    note: "`echo_upstream_body` is done in streams: the first chunk shows the request that the provider got, without keys"
  },
  {
    field: "frequency_penalty",
    at: "passed told passed told",
    request: { frequency_penalty: 0.5 }
  },
  {
    field: "functions",
    at: "passed",
    request: { functions: [{ name: "look", parameters: { type: "object", properties: {} } }] }
  },
  {
    field: "function_call",
    at: "passed",
    request: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} } }
        }
      ],
      function_call: "none"
    },
    without: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} } }
        }
      ]
    }
  },
  {
    field: "image_config",
    at: "passed told told told",
    request: { image_config: { aspect_ratio: "16:9" } }
  },
  {
    field: "include_reasoning",
    at: "passed done passed done",
    request: { include_reasoning: false },
    note: "`false` leaves the reasoning out"
  },
  { field: "logit_bias", at: "passed told told told", request: { logit_bias: { "5": 1 } } },
  { field: "logprobs", at: "passed told passed passed", request: { logprobs: true } },
  { field: "max_completion_tokens", at: "passed", request: { max_completion_tokens: 50 } },
  { field: "max_tokens", at: "passed", request: { max_tokens: 50 } },
  { field: "metadata", at: "told", atOpenRouter: "passed", request: { metadata: { ticket: "7" } } },
  { field: "min_p", at: "passed told told told", request: { min_p: 0.1 } },
  { field: "modalities", at: "passed told told told", request: { modalities: ["image", "text"] } },
  {
    field: "audio",
    at: "passed told told told",
    request: { audio: { voice: "alloy", format: "mp3" } }
  },
  {
    field: "models",
    at: "done",
    request: { models: ["proof/other"] },
    note: "the models to fall back to"
  },
  {
    field: "n",
    at: "passed refused passed refused",
    request: { n: 2 },
    note: "other APIs give one answer, so an endpoint of the chat API is tried"
  },
  {
    field: "parallel_tool_calls",
    at: "passed passed told passed",
    request: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} } }
        }
      ],
      parallel_tool_calls: false
    },
    without: {
      tools: [
        {
          type: "function",
          function: { name: "look", parameters: { type: "object", properties: {} } }
        }
      ]
    }
  },
  {
    field: "prediction",
    at: "passed told told told",
    request: { prediction: { type: "content", content: "calm" } }
  },
  { field: "presence_penalty", at: "passed told passed told", request: { presence_penalty: 0.5 } },
  {
    field: "prompt_cache_key",
    at: "passed done done passed",
    request: { prompt_cache_key: "k" },
    note: "also decides the endpoint: [affinity](../guides/affinity.md)"
  },
  {
    field: "prompt_cache_options",
    at: "passed told told passed",
    request: { prompt_cache_options: { mode: "explicit" } }
  },
  {
    field: "prompt_cache_retention",
    at: "passed told told passed",
    request: { prompt_cache_retention: "24h" }
  },
  { field: "reasoning.effort", at: "passed", request: { reasoning: { effort: "low" } } },
  { field: "reasoning.max_tokens", at: "passed", request: { reasoning: { max_tokens: 2000 } } },
  { field: "reasoning.enabled", at: "passed", request: { reasoning: { enabled: true } } },
  {
    field: "reasoning.exclude",
    at: "told passed passed passed",
    atOpenRouter: "passed",
    request: { reasoning: { effort: "low", exclude: true } },
    without: { reasoning: { effort: "low" } }
  },
  {
    field: "reasoning.summary",
    at: "told told told passed",
    atOpenRouter: "passed",
    request: { reasoning: { effort: "low", summary: "detailed" } },
    without: { reasoning: { effort: "low" } }
  },
  {
    field: "reasoning.context",
    at: "told",
    atOpenRouter: "passed",
    request: { reasoning: { effort: "low", context: "all" } },
    without: { reasoning: { effort: "low" } }
  },
  {
    field: "reasoning.mode",
    at: "told",
    atOpenRouter: "passed",
    request: { reasoning: { effort: "low", mode: "pro" } },
    without: { reasoning: { effort: "low" } }
  },
  {
    field: "reasoning.unknown",
    at: "told",
    atOpenRouter: "passed",
    request: { reasoning: { effort: "low", unknown: "x" } },
    without: { reasoning: { effort: "low" } }
  },
  { field: "reasoning_effort", at: "passed", request: { reasoning_effort: "low" } },
  {
    field: "repetition_penalty",
    at: "passed told told told",
    request: { repetition_penalty: 1.1 }
  },
  {
    field: "response_format: json_object",
    at: "passed told passed passed",
    request: { response_format: { type: "json_object" } }
  },
  {
    field: "response_format: text",
    at: "passed done passed passed",
    request: { response_format: { type: "text" } },
    note: "what providers answer anyway"
  },
  {
    field: "response_format: json_schema",
    at: "passed",
    request: {
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "a",
          schema: {
            type: "object",
            properties: { a: { type: "string" } },
            required: ["a"],
            additionalProperties: false
          }
        }
      }
    }
  },
  {
    field: "response_format.json_schema.strict",
    at: "passed done done passed",
    request: {
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "a",
          strict: true,
          schema: {
            type: "object",
            properties: { a: { type: "string" } },
            required: ["a"],
            additionalProperties: false
          }
        }
      }
    },
    without: {
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "a",
          schema: {
            type: "object",
            properties: { a: { type: "string" } },
            required: ["a"],
            additionalProperties: false
          }
        }
      }
    },
    note: "other APIs always keep to the schema"
  },
  {
    field: "response_format.json_schema.name",
    at: "passed done done passed",
    request: {
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "b",
          schema: { type: "object", properties: {}, additionalProperties: false }
        }
      }
    },
    without: {
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "a",
          schema: { type: "object", properties: {}, additionalProperties: false }
        }
      }
    },
    note: "a label, which other APIs do not have"
  },
  {
    field: "response_format.json_schema.description",
    at: "passed told told passed",
    request: {
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "a",
          description: "d",
          schema: { type: "object", properties: {}, additionalProperties: false }
        }
      }
    },
    without: {
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "a",
          schema: { type: "object", properties: {}, additionalProperties: false }
        }
      }
    }
  },
  {
    field: "response_format.unknown",
    at: "passed told told told",
    request: {
      response_format: {
        type: "json_schema",
        unknown: 1,
        json_schema: {
          name: "a",
          schema: { type: "object", properties: {}, additionalProperties: false }
        }
      }
    },
    without: {
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "a",
          schema: { type: "object", properties: {}, additionalProperties: false }
        }
      }
    }
  },
  {
    field: "response_format: grammar",
    at: "passed refused refused told",
    request: { response_format: { type: "grammar", grammar: "root ::= x" } }
  },
  {
    field: "response_format: python",
    at: "passed refused refused told",
    request: { response_format: { type: "python" } }
  },
  {
    field: "route: sort",
    at: "done",
    request: { route: "sort" },
    note: 'sorts over the endpoints of all models, as `provider.sort.partition: "none"`'
  },
  {
    field: "route: fallback",
    at: "done",
    request: { route: "fallback" },
    note: "what is done anyway"
  },
  { field: "safeguards", at: "told", request: { safeguards: [{ type: "classifier" }] } },
  {
    field: "safety_identifier",
    at: "passed told told passed",
    request: { safety_identifier: "s" }
  },
  { field: "seed", at: "passed told passed told", request: { seed: 7 } },
  {
    field: "service_tier: auto",
    at: "passed passed done passed",
    request: { service_tier: "auto" },
    note: "what is done anyway"
  },
  { field: "service_tier: default", at: "passed", request: { service_tier: "default" } },
  {
    field: "service_tier: flex",
    at: "passed told passed passed",
    request: { service_tier: "flex" }
  },
  {
    field: "service_tier: priority",
    at: "passed told passed passed",
    request: { service_tier: "priority" }
  },
  {
    field: "service_tier: scale",
    at: "passed told told passed",
    request: { service_tier: "scale" }
  },
  { field: "stop", at: "passed passed passed told", request: { stop: ["x"] } },
  {
    field: "stop_server_tools_when",
    at: "told",
    atOpenRouter: "passed",
    request: { stop_server_tools_when: [{ type: "step_count_is", step_count: 2 }] }
  },
  { field: "store", at: "passed told told told", request: { store: true } },
  {
    field: "stream_options.include_usage",
    at: "done",
    request: { stream_options: { include_usage: true } },
    note: "the last chunk of a stream always has the usage"
  },
  {
    field: "stream_options.include_obfuscation",
    at: "told",
    request: { stream_options: { include_obfuscation: true } }
  },
  { field: "stream_options.unknown", at: "told", request: { stream_options: { unknown: true } } },
  { field: "temperature", at: "passed told passed told", request: { temperature: 0.5 } },
  {
    field: "thinking",
    at: "passed",
    request: { thinking: { type: "enabled", budget_tokens: 2000 } }
  },
  { field: "top_a", at: "passed told told told", request: { top_a: 0.1 } },
  { field: "top_k", at: "passed told passed told", request: { top_k: 4 } },
  {
    field: "top_logprobs",
    at: "passed told passed passed",
    request: { logprobs: true, top_logprobs: 2 },
    without: { logprobs: true }
  },
  {
    field: "top_logprobs: without logprobs",
    at: "passed told told told",
    request: { top_logprobs: 2 }
  },
  { field: "top_p", at: "passed told passed told", request: { top_p: 0.5 } },
  {
    field: "trace",
    at: "done",
    request: { trace: { trace_id: "t" } },
    note: "in the record and in spans"
  },
  {
    field: "session_id",
    at: "done",
    request: { session_id: "t" },
    note: "in the record; decides the endpoint"
  },
  {
    field: "transforms",
    at: "told",
    atOpenRouter: "passed",
    request: { transforms: ["middle-out"] },
    note: "`middle-out` is done where the catalog states a context length, as the plugin `context-compression`"
  },
  {
    field: "usage.include",
    at: "done",
    request: { usage: { include: true } },
    note: "every answer has its usage"
  },
  { field: "usage.unknown", at: "told", request: { usage: { unknown: true } } },
  {
    field: "user",
    at: "done",
    request: { user: "u" },
    note: "in the record; budgets may count it"
  },
  { field: "verbosity", at: "passed told told passed", request: { verbosity: "low" } },
  {
    field: "web_search_options",
    at: "passed told told told",
    request: { web_search_options: { search_context_size: "low" } }
  },
  { field: "moderation", at: "passed told told told", request: { moderation: { model: "omni" } } },
  {
    field: "preset",
    at: "refused",
    request: { preset: "x" },
    note: "unless there is such a preset"
  },
  { field: "unknown", at: "passed told told told", request: { unknown: "x" } },
  { field: "provider.unknown", at: "refused", request: { provider: { unknown: 1 } } },
  { field: "provider.options", at: "refused", request: { provider: { options: { a: 1 } } } }
]
