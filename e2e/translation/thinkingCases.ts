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
  // LiteLLM (https://docs.litellm.ai/docs/reasoning_content).
  {
    name: "in thinking_blocks alone",
    message: {
      content: "ab",
      thinking_blocks: [{ type: "thinking", thinking: "plan", signature: "c2ln" }]
    }
  },
  // Its streams have a block for each delta, and the last one may repeat all of them
  // (https://github.com/BerriAI/litellm/issues/29428).
  {
    name: "in thinking_blocks beside reasoning_content",
    message: {
      content: "ab",
      reasoning_content: "plan",
      thinking_blocks: [{ type: "thinking", thinking: "plan", signature: "c2ln" }]
    },
    deltas: [
      {
        reasoning_content: "pl",
        thinking_blocks: [{ type: "thinking", thinking: "pl", signature: "" }]
      },
      {
        reasoning_content: "an",
        thinking_blocks: [{ type: "thinking", thinking: "an", signature: null }]
      },
      {
        reasoning_content: "",
        thinking_blocks: [{ type: "thinking", thinking: "plan", signature: "c2ln" }]
      },
      { content: "ab" }
    ]
  },
  {
    name: "in reasoning_content, and once more in thinking_blocks with the signature",
    message: {
      content: "ab",
      reasoning_content: "plan",
      thinking_blocks: [{ type: "thinking", thinking: "plan", signature: "c2ln" }]
    },
    deltas: [
      { reasoning_content: "pl" },
      { reasoning_content: "an" },
      { thinking_blocks: [{ type: "thinking", thinking: "plan", signature: "c2ln" }] },
      { content: "ab" }
    ]
  },
  // vLLM without a parser, LM Studio (https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1569).
  {
    name: "between tags at the start of the content",
    message: { content: "<think>plan</think>ab" },
    deltas: [
      { content: "<think>" },
      { content: "plan" },
      { content: "</think>" },
      { content: "ab" }
    ]
  },
  {
    name: "between tags in pieces, with white space around",
    message: { content: "\n<think>\nplan\n</think>\n\nab" },
    deltas: Array.from("\n<think>\nplan\n</think>\n\nab", (content) => ({ content }))
  },
  {
    name: "between tags without anything between them",
    message: { content: "<think>\n\n</think>\n\nab" },
    reasoning: ""
  },
  {
    name: "between tags that another tag is in",
    message: { content: "<think>a <b> </thin < plan</think>ab <think>c</think>" },
    reasoning: "a <b> </thin < plan",
    content: "ab <think>c</think>"
  },
  {
    name: "behind a tag that is never closed",
    message: { content: "<think>plan" },
    content: ""
  },
  // The template has the first tag (https://github.com/vllm-project/vllm/issues/12999); a stream has said it by then.
  {
    name: "before the end of a tag, in a whole answer",
    message: { content: "plan\n</think>\n\nab" },
    deltas: [{ reasoning: "plan" }, { content: "ab" }]
  },
  {
    name: "nowhere, and the answer speaks of the end of a tag",
    message: { content: "Close it with </think>, then go on." },
    content: "Close it with </think>, then go on.",
    reasoning: ""
  },
  // Seed-OSS, Magistral, Kimi.
  { name: "between Seed's tags", message: { content: "<seed:think>plan</seed:think>ab" } },
  { name: "between Magistral's tags", message: { content: "[THINK]plan[/THINK]ab" } },
  { name: "between Kimi's tags", message: { content: "◁think▷plan◁/think▷ab" } },
  {
    name: "nowhere, and a tag begins, but does not end",
    message: { content: " <thi" },
    deltas: [{ content: " <" }, { content: "thi" }],
    content: " <thi",
    reasoning: ""
  },
  {
    name: "nowhere, and tags in the middle",
    message: { content: "It writes <think>plan</think>." },
    deltas: [{ content: "It writes " }, { content: "<think>plan</think>" }, { content: "." }],
    content: "It writes <think>plan</think>.",
    reasoning: ""
  },
  {
    name: "in a field, and tags that the caller asked for in the content",
    message: { content: "<think>b</think>", reasoning_content: "plan" },
    deltas: [{ reasoning_content: "plan" }, { content: "<think>b</think>" }],
    content: "<think>b</think>"
  },
  {
    name: "between the tags that prompts ask for",
    message: { content: "<thinking>b</thinking>" },
    content: "<thinking>b</thinking>",
    reasoning: ""
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
