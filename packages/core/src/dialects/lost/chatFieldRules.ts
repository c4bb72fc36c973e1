/**
 * What becomes of each field of a chat at a provider with another API: https://platform.openai.com/docs/api-reference/chat
 * and https://openrouter.ai/docs/api-reference/parameters.
 */
import { isObject, toList } from "../../values/json/guards.ts"
import type { FieldRule, FieldRules } from "./listLostFields.ts"

/** Servers that cache by themselves, as Google and OpenAI do, need no marks. */
const mark: FieldRules = { type: true, ttl: true }
const cacheMark: FieldRule = { as: "cache_control", in: { messages: true }, fields: mark }

const image: FieldRules = { url: true, detail: { in: { responses: true }, default: "auto" } }

/** All types of parts together, because no two of them use a name differently. */
const part: FieldRules = {
  type: true,
  text: true,
  image_url: { fields: image },
  input_audio: { fields: { data: true, format: true } },
  video_url: { fields: { url: true } },
  file: { fields: { file_data: true, file_id: true, file_url: true, filename: true } },
  refusal: true,
  cache_control: cacheMark
}

const translatedParts: ReadonlySet<unknown> = new Set([
  "file",
  "image_url",
  "input_audio",
  "input_text",
  "output_text",
  "refusal",
  "text",
  "video_url"
])

const hasDetails = (
  _: unknown,
  { reasoning_details: details }: Readonly<Record<string, unknown>>
) => toList(details).length === 0

const message: FieldRules = {
  role: true,
  // Other parts are reported as a whole.
  content: { of: ({ type }) => translatedParts.has(type), fields: part },
  // The name of a tool is that of its call.
  name: { asks: (name, { role }) => name !== "" && role !== "tool" },
  tool_calls: true,
  tool_call_id: true,
  function_call: true,
  refusal: true,
  // The plan reports reasoning that another family signed.
  reasoning_details: true,
  thinking_blocks: true,
  extra_content: true,
  reasoning: { asks: hasDetails },
  reasoning_content: { asks: hasDetails },
  annotations: { as: "annotations" },
  cache_control: cacheMark
}

const tool: FieldRules = {
  type: true,
  function: {
    fields: {
      name: true,
      description: true,
      parameters: true,
      strict: { in: { messages: true, responses: true, "ai-sdk": true } }
    }
  },
  custom: { fields: { name: true, description: true, format: { in: { responses: true } } } },
  cache_control: cacheMark
}

const format: FieldRules = {
  type: true,
  grammar: true,
  json_schema: {
    fields: {
      // A label; other dialects have none, and always keep to the schema.
      name: true,
      schema: true,
      strict: true,
      description: { in: { responses: true, "ai-sdk": true } }
    }
  }
}

const hasTools = (value: unknown, { tools }: Readonly<Record<string, unknown>>): boolean =>
  value === false && toList(tools).length > 0

export const chatFieldRules: FieldRules = {
  messages: { fields: message },
  tools: { fields: tool },
  tool_choice: {
    in: { messages: true, gemini: true, responses: "tool_choice", "ai-sdk": true },
    asks: (choice, { tools }) => isObject(choice) && toList(tools).length > 0,
    fields: {
      type: true,
      function: { fields: { name: true } },
      custom: { fields: { name: true } },
      allowed_tools: { fields: { mode: true, tools: true } }
    }
  },
  functions: true,
  function_call: true,
  max_tokens: true,
  max_completion_tokens: true,
  temperature: {
    in: {
      messages: "temperature",
      gemini: "generationConfig.temperature",
      responses: "temperature",
      "ai-sdk": "temperature"
    },
    default: 1
  },
  top_p: {
    in: {
      messages: "top_p",
      gemini: "generationConfig.topP",
      responses: "top_p",
      "ai-sdk": "topP"
    },
    default: 1
  },
  top_k: {
    in: { messages: "top_k", gemini: "generationConfig.topK", responses: "top_k", "ai-sdk": "topK" }
  },
  frequency_penalty: {
    in: {
      gemini: "generationConfig.frequencyPenalty",
      responses: "frequency_penalty",
      "ai-sdk": "frequencyPenalty"
    },
    default: 0
  },
  presence_penalty: {
    in: {
      gemini: "generationConfig.presencePenalty",
      responses: "presence_penalty",
      "ai-sdk": "presencePenalty"
    },
    default: 0
  },
  repetition_penalty: { default: 1 },
  min_p: { default: 0 },
  top_a: { default: 0 },
  seed: { in: { gemini: "generationConfig.seed", "ai-sdk": "seed" } },
  // Other dialects refuse several answers.
  n: true,
  logprobs: { in: { gemini: "generationConfig.responseLogprobs", responses: "include" } },
  top_logprobs: {
    in: { gemini: "generationConfig.logprobs", responses: "top_logprobs" },
    default: 0
  },
  stop: {
    in: {
      messages: "stop_sequences",
      gemini: "generationConfig.stopSequences",
      "ai-sdk": "stopSequences"
    }
  },
  response_format: {
    in: {
      messages: "output_config.format",
      gemini: "generationConfig.responseMimeType",
      responses: "text.format",
      "ai-sdk": "responseFormat"
    },
    asks: (format) => isObject(format) && JSON.stringify(format) !== '{"type":"text"}',
    fields: format
  },
  reasoning: {
    fields: {
      effort: true,
      max_tokens: true,
      enabled: true,
      exclude: true,
      summary: { in: { responses: true }, default: "auto" },
      context: { default: "auto" },
      mode: { default: "standard" }
    }
  },
  reasoning_effort: true,
  include_reasoning: true,
  thinking: { fields: { type: true, budget_tokens: true } },
  verbosity: { in: { responses: "text.verbosity" }, default: "medium" },
  service_tier: {
    in: { messages: "service_tier", gemini: "serviceTier", responses: "service_tier" },
    default: "auto"
  },
  parallel_tool_calls: { in: { messages: true, responses: true }, asks: hasTools },
  cache_control: {
    as: "cache_control",
    in: { messages: true, responses: "cache_control" },
    fields: mark
  },
  modalities: {
    in: { gemini: "generationConfig.responseModalities" },
    asks: (names) => toList(names).some((name) => name !== "text")
  },
  // Responses are not stored.
  store: { in: {} },
  // Decides the endpoint that has the prompt in its cache.
  prompt_cache_key: true,
  image_config: { in: { gemini: "generationConfig.imageConfig" } }
}
