/** Thoughts as public servers of the chat dialect are known to write them beside what they say. */
import type { Json } from "../dialects/NativeAnswer.ts"

export interface ThinkingCase {
  readonly name: string
  readonly message: Json
  /** Absent: one with all of `message`. */
  readonly deltas?: ReadonlyArray<Json>
  /** What is thought and said. Default: `plan` and `ab`. */
  readonly reasoning?: string
  readonly content?: string
}

const encrypted = { type: "reasoning.encrypted", data: "c2VjcmV0", format: "unknown", index: 0 }

export const thinkingCases: ReadonlyArray<ThinkingCase> = [
  // DeepSeek (https://api-docs.deepseek.com/guides/thinking_mode), Moonshot, Fireworks, xAI, SGLang, llama.cpp.
  {
    name: "in reasoning_content",
    message: { content: "ab", reasoning_content: "plan" },
    deltas: [{ reasoning_content: "pl" }, { reasoning_content: "an" }, { content: "ab" }]
  },
  {
    name: "in reasoning_content of each delta, beside an empty content",
    message: { content: "ab", reasoning_content: "plan" },
    deltas: [
      { content: null, reasoning_content: "plan" },
      { content: "ab", reasoning_content: null }
    ]
  },
  // OpenRouter, Groq (https://console.groq.com/docs/reasoning), Cerebras, Together, Ollama, LM Studio.
  {
    name: "in reasoning",
    message: { content: "ab", reasoning: "plan" },
    deltas: [{ reasoning: "plan" }, { content: "ab" }]
  },
  // vLLM while it renamed the field (https://github.com/vllm-project/vllm/pull/27752).
  {
    name: "in both fields",
    message: { content: "ab", reasoning: "plan", reasoning_content: "plan" },
    deltas: [{ reasoning: "plan", reasoning_content: "plan" }, { content: "ab" }]
  },
  {
    name: "in an empty reasoning and a full reasoning_content",
    message: { content: "ab", reasoning: "", reasoning_content: "plan" }
  },
  {
    name: "alone, with content null",
    message: { content: null, reasoning_content: "plan" },
    content: ""
  },
  {
    name: "alone, with an empty content",
    message: { content: "", reasoning_content: "plan" },
    content: ""
  },
  {
    name: "alone, without content",
    message: { reasoning: "plan" },
    content: ""
  },
  {
    name: "beside details that are encrypted alone",
    message: { content: "ab", reasoning: "plan", reasoning_details: [encrypted] }
  },
  // Mistral (https://docs.mistral.ai/capabilities/reasoning).
  {
    name: "as parts of the content",
    message: {
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "plan" }], closed: true },
        { type: "text", text: "ab" }
      ]
    },
    deltas: [
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "pl" }] }] },
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "an" }] }] },
      { content: [{ type: "text", text: "a" }] },
      { content: "b" }
    ]
  },
  {
    name: "as parts of the content with one text",
    message: { content: [{ type: "thinking", thinking: "plan" }, "ab"] }
  },
  {
    name: "nowhere, and the content in parts",
    message: {
      content: [
        { type: "text", text: "a" },
        { type: "output_text", text: "b" }
      ]
    },
    reasoning: ""
  },
  {
    name: "nowhere, and the content in a single part",
    message: { content: { type: "text", text: "ab" } },
    reasoning: ""
  },
  {
    name: "nowhere, and a reference in the content",
    message: {
      content: [
        { type: "text", text: "ab" },
        { type: "reference", reference_ids: [1] }
      ]
    },
    reasoning: ""
  }
]
