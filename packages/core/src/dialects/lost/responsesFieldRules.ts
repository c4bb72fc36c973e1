/** What becomes of each field of a request of OpenAI's Responses API elsewhere: https://platform.openai.com/docs/api-reference/responses/create. */
import { toList } from "../../values/json/guards.ts"
import type { FieldRule, FieldRules } from "./listLostFields.ts"

type Json = Readonly<Record<string, unknown>>

const part: FieldRules = {
  type: true,
  text: true,
  refusal: true,
  image_url: true,
  detail: { in: { chat: true }, default: "auto" },
  input_audio: { fields: { data: true, format: true } },
  file_data: true,
  file_id: true,
  file_url: true,
  filename: true,
  video_url: true,
  // Clients return the parts of an answer with them, mostly empty.
  annotations: { as: "annotations" },
  logprobs: { as: "logprobs" }
}

const translatedItems: ReadonlySet<unknown> = new Set([
  undefined,
  "custom_tool_call",
  "custom_tool_call_output",
  "function_call",
  "function_call_output",
  "message",
  "reasoning"
])

const item: FieldRules = {
  type: true,
  id: true,
  status: true,
  role: true,
  content: { fields: part },
  call_id: true,
  name: true,
  namespace: true,
  arguments: true,
  input: true,
  output: { fields: part },
  // The plan reports reasoning that another family signed.
  summary: { fields: { type: true, text: true } },
  encrypted_content: true,
  format: true,
  signature: true
}

const translatedTools: ReadonlySet<unknown> = new Set(["custom", "function", "namespace"])

const tool: FieldRules = {
  type: true,
  name: true,
  description: true,
  parameters: true,
  // Clients always send it to this API, which would be strict otherwise.
  strict: { in: { chat: true, messages: true, "ai-sdk": true } },
  format: { in: { chat: true }, asks: (_, { type }) => type === "custom" },
  tools: true
}

const sampling = (name: string, gemini: string, messages?: string): FieldRule => ({
  in: {
    chat: name,
    gemini: `generationConfig.${gemini}`,
    "ai-sdk": gemini,
    ...(messages === undefined ? undefined : { messages })
  },
  default: name.endsWith("penalty") ? 0 : 1
})

const hasTools = (value: unknown, { tools }: Json): boolean =>
  value === false && toList(tools).length > 0

/** Fields that are handled, or refused, before the request is written. */
const done: FieldRules = {
  background: true,
  client_metadata: true,
  conversation: true,
  input: true,
  instructions: true,
  max_output_tokens: true,
  metadata: true,
  model: true,
  previous_response_id: true,
  prompt: true,
  prompt_cache_key: true,
  store: true,
  stream: true,
  user: true
}

export const responsesFieldRules: FieldRules = {
  ...done,
  input: { of: ({ type }) => translatedItems.has(type), fields: item },
  tools: { of: ({ type }) => translatedTools.has(type), fields: tool },
  tool_choice: { fields: { type: true, name: true, namespace: true, mode: true, tools: true } },
  temperature: sampling("temperature", "temperature", "temperature"),
  top_p: sampling("top_p", "topP", "top_p"),
  top_k: {
    in: { chat: "top_k", messages: "top_k", gemini: "generationConfig.topK", "ai-sdk": "topK" }
  },
  frequency_penalty: sampling("frequency_penalty", "frequencyPenalty"),
  presence_penalty: sampling("presence_penalty", "presencePenalty"),
  top_logprobs: { in: { chat: "top_logprobs", gemini: "generationConfig.logprobs" }, default: 0 },
  // Reasoning is always asked for; the plan reports the other values.
  include: {
    in: { chat: "logprobs", gemini: "generationConfig.responseLogprobs" },
    asks: (include) => toList(include).includes("message.output_text.logprobs")
  },
  text: {
    fields: {
      format: {
        in: {
          chat: "response_format",
          gemini: "generationConfig.responseMimeType",
          messages: "output_config.format",
          "ai-sdk": "responseFormat"
        },
        fields: {
          type: true,
          name: true,
          schema: true,
          strict: true,
          description: { in: { chat: true, "ai-sdk": true } }
        },
        asks: (format) => JSON.stringify(format) !== '{"type":"text"}'
      },
      verbosity: { in: { chat: "verbosity" }, default: "medium" }
    }
  },
  reasoning: {
    fields: {
      effort: true,
      enabled: true,
      max_tokens: true,
      summary: { in: { chat: true, gemini: true, messages: true } },
      generate_summary: true,
      context: { default: "auto" },
      mode: { default: "standard" }
    }
  },
  stream_options: { fields: {} },
  truncation: { default: "disabled" },
  service_tier: {
    in: { chat: "service_tier", gemini: "serviceTier", messages: "service_tier" },
    asks: (tier) => tier !== "auto" && tier !== "default"
  },
  parallel_tool_calls: { in: { chat: true, messages: true }, asks: hasTools },
  cache_control: {
    as: "cache_control",
    in: { chat: "cache_control", messages: true },
    fields: { type: true, ttl: true }
  }
}
