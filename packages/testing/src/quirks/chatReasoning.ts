/** Where servers of the chat dialect put what a model thinks. */
import {
  call,
  chatAnswer,
  chatStream,
  chunk,
  done,
  east,
  lookEast,
  usageChunk
} from "./chatFragments.ts"
import type { SendsQuirk } from "./Quirk.ts"

const read =
  "Read under every name, whole and streamed; every caller gets it in the words of its own API."

export const chatReasoning: ReadonlyArray<SendsQuirk> = [
  {
    id: "deepseek.reasoning-content",
    kind: "sends",
    providers: ["deepseek", "moonshot", "fireworks"],
    dialect: "chat",
    what: "Thinking is in `reasoning_content`, beside `content`; in the deltas of a stream `content` is then null.",
    source: "https://github.com/nowledge-co/nowledge-mem/issues/36",
    handling: read,
    whole: chatAnswer({ content: "ab", reasoning_content: "plan" }),
    events: chatStream([
      { content: null, reasoning_content: "pl" },
      { content: null, reasoning_content: "an" },
      { content: "ab", reasoning_content: null }
    ]),
    expected: { text: "ab", thinking: "plan" }
  },
  {
    id: "deepseek.reasoning-before-calls",
    kind: "sends",
    providers: ["deepseek"],
    dialect: "chat",
    what: "An answer that only thinks and calls tools has `reasoning_content`, `tool_calls` and an empty `content`.",
    source: "https://api-docs.deepseek.com/guides/thinking_mode",
    handling: read,
    whole: chatAnswer(
      {
        content: "",
        reasoning_content: "plan",
        tool_calls: [{ index: 0, ...call("call_00_x1", east) }]
      },
      "tool_calls"
    ),
    events: chatStream(
      [
        { content: null, reasoning_content: "plan" },
        {
          content: null,
          reasoning_content: null,
          tool_calls: [{ index: 0, ...call("call_00_x1", "") }]
        },
        { content: null, tool_calls: [{ index: 0, function: { arguments: east } }] }
      ],
      "tool_calls"
    ),
    expected: { thinking: "plan", calls: [{ id: "call_00_x1", ...lookEast }] }
  },
  {
    id: "moonshot.call-ids",
    kind: "sends",
    providers: ["moonshot", "fireworks"],
    dialect: "chat",
    what: "The ids of calls have dots and colons, as in `functions.look:0`.",
    source: "https://github.com/maximhq/bifrost/issues/5097",
    handling:
      "Callers get the id as it is, and send it back. An API with rules for ids gets one that fits, the same in the call and its result.",
    whole: chatAnswer(
      { content: "", reasoning_content: "plan", tool_calls: [call("functions.look:0", east)] },
      "tool_calls"
    ),
    events: chatStream(
      [
        { reasoning_content: "plan" },
        { tool_calls: [{ index: 0, ...call("functions.look:0", "") }] },
        { tool_calls: [{ index: 0, function: { arguments: east } }] }
      ],
      "tool_calls"
    ),
    expected: { thinking: "plan", calls: [{ id: "functions.look:0", ...lookEast }] }
  },
  {
    id: "ollama.reasoning",
    kind: "sends",
    providers: ["ollama"],
    dialect: "chat",
    what: "Thinking is in `reasoning`, with an empty `content` in the same delta.",
    source: "https://github.com/dirac-run/dirac/pull/227",
    handling: read,
    whole: chatAnswer({ content: "ab", reasoning: "plan" }),
    events: chatStream([
      { role: "assistant", content: "", reasoning: "pl" },
      { content: "", reasoning: "an" },
      { content: "ab" }
    ]),
    expected: { text: "ab", thinking: "plan" }
  },
  {
    id: "ollama.only-reasoning",
    kind: "sends",
    providers: ["ollama"],
    dialect: "chat",
    what: "A short cap may leave all of the answer in `reasoning`, and `content` empty.",
    source: "https://github.com/ollama/ollama/issues/15288",
    handling: "Every caller gets the thinking, and that the answer was cut.",
    whole: chatAnswer({ content: "", reasoning: "plan" }, "length"),
    events: chatStream([{ content: "", reasoning: "plan" }], "length"),
    expected: { thinking: "plan", finish: "length" }
  },
  {
    id: "cerebras.reasoning",
    kind: "sends",
    providers: ["cerebras", "groq", "together"],
    dialect: "chat",
    what: "Thinking is in `reasoning`, also of an answer that only calls tools.",
    source: "https://github.com/QwenLM/qwen-code/issues/11045",
    handling: read,
    whole: chatAnswer({ reasoning: "plan", tool_calls: [call("3f9b1c2d7", east)] }, "tool_calls"),
    events: chatStream(
      [{ reasoning: "plan" }, { tool_calls: [{ index: 0, ...call("3f9b1c2d7", east) }] }],
      "tool_calls"
    ),
    expected: { thinking: "plan", calls: [{ id: "3f9b1c2d7", ...lookEast }] }
  },
  {
    id: "vllm.reasoning",
    kind: "sends",
    providers: ["vllm"],
    dialect: "chat",
    what: "Thinking is in `reasoning`, which older versions called `reasoning_content`.",
    source: "https://github.com/vllm-project/router/pull/115",
    handling: read,
    whole: chatAnswer({ content: "ab", reasoning: "plan", tool_calls: [], refusal: null }),
    events: chatStream([{ reasoning: "plan" }, { content: "ab" }]),
    expected: { text: "ab", thinking: "plan" }
  },
  {
    id: "vllm.reasoning-twice",
    kind: "sends",
    providers: ["vllm"],
    dialect: "chat",
    what: "For older clients the same thinking is in `reasoning` and in `reasoning_content`.",
    source: "https://github.com/vllm-project/vllm/pull/34030",
    handling: "Read once.",
    whole: chatAnswer({ content: "ab", reasoning: "plan", reasoning_content: "plan" }),
    events: chatStream([
      { reasoning: "pl", reasoning_content: "pl" },
      { reasoning: "an", reasoning_content: "an" },
      { content: "ab" }
    ]),
    expected: { text: "ab", thinking: "plan" }
  },
  {
    id: "llamacpp.reasoning-content",
    kind: "sends",
    providers: ["llamacpp", "lmstudio"],
    dialect: "chat",
    what: "Thinking is in `reasoning_content`; the first delta of a stream has `content: null`.",
    source: "https://github.com/architehc/selfware/issues/77",
    handling: read,
    whole: chatAnswer({ content: "ab", reasoning_content: "plan" }),
    events: [
      chunk({ role: "assistant", content: null }),
      chunk({ reasoning_content: "plan" }),
      chunk({ content: "ab" }),
      chunk({}, "stop"),
      usageChunk,
      done
    ],
    expected: { text: "ab", thinking: "plan" }
  },
  {
    id: "vllm.think-tags",
    kind: "sends",
    providers: ["vllm", "ollama", "llamacpp", "lmstudio", "other"],
    dialect: "chat",
    what: "Without a parser for the model, thinking is at the start of `content`, between `<think>` and `</think>`.",
    source: "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1569",
    handling:
      "Read as thinking where the answer begins with the tag, also in pieces; tags behind a text, and other tags, stay text.",
    whole: chatAnswer({ content: "<think>\nplan\n</think>\n\nab" }),
    events: chatStream([
      { content: "<thi" },
      { content: "nk>\npl" },
      { content: "an\n</" },
      { content: "think>\n" },
      { content: "\na" },
      { content: "b" }
    ]),
    expected: { text: "ab", thinking: "plan" }
  },
  {
    id: "litellm.thinking-blocks",
    kind: "sends",
    providers: ["litellm"],
    dialect: "chat",
    what: "What Claude thinks and signs is in `thinking_blocks`; in a stream the block with the signature may repeat the thought.",
    source: "https://github.com/BerriAI/litellm/issues/29428",
    handling:
      "Every caller gets the thinking once, with its signature; it goes back in `thinking_blocks`.",
    whole: chatAnswer({
      content: "ab",
      reasoning_content: "plan",
      thinking_blocks: [{ type: "thinking", thinking: "plan", signature: "c2lnbmVk" }]
    }),
    events: chatStream([
      {
        reasoning_content: "pl",
        thinking_blocks: [{ type: "thinking", thinking: "pl", signature: "" }]
      },
      {
        reasoning_content: "an",
        thinking_blocks: [{ type: "thinking", thinking: "an", signature: "" }]
      },
      { thinking_blocks: [{ type: "thinking", thinking: "plan", signature: "c2lnbmVk" }] },
      { content: "ab" }
    ]),
    expected: { text: "ab", thinking: "plan" }
  },
  {
    id: "mistral.thinking-chunks",
    kind: "sends",
    providers: ["mistral"],
    dialect: "chat",
    what: "`content` is a list, in which a chunk `thinking` has a list of texts of its own.",
    source: "https://github.com/BerriAI/litellm/issues/16272",
    handling: read,
    whole: chatAnswer({
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "plan" }] },
        { type: "text", text: "ab" }
      ],
      tool_calls: null
    }),
    events: chatStream([
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "pl" }] }] },
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "an" }] }] },
      { content: "a" },
      { content: "b" }
    ]),
    expected: { text: "ab", thinking: "plan" }
  },
  {
    id: "mistral.split-chunks",
    kind: "sends",
    providers: ["mistral"],
    dialect: "chat",
    what: "A list of chunks may have several texts, with an empty chunk `thinking` between them.",
    source: "https://github.com/mistralai/client-python/issues/252",
    handling: "The texts are one answer, and the empty chunk is none.",
    whole: chatAnswer({
      content: [
        { type: "thinking", thinking: [{ type: "text", text: "plan" }] },
        { type: "text", text: "a" },
        { type: "thinking", thinking: [] },
        { type: "text", text: "b" }
      ]
    }),
    events: chatStream([
      { content: [{ type: "thinking", thinking: [{ type: "text", text: "plan" }] }] },
      { content: [{ type: "text", text: "a" }] },
      { content: [{ type: "thinking", thinking: [] }] },
      { content: [{ type: "text", text: "b" }] }
    ]),
    expected: { text: "ab", thinking: "plan" }
  },
  {
    id: "openrouter.reasoning-details",
    kind: "sends",
    providers: ["openrouter"],
    dialect: "chat",
    what: "Thinking is in `reasoning`, and again in `reasoning_details`, with encrypted parts that clients return.",
    source: "https://github.com/earendil-works/pi/issues/6733",
    handling: "Read once; the details go back to the models that made them.",
    whole: chatAnswer({
      content: "ab",
      reasoning: "plan",
      reasoning_details: [
        { type: "reasoning.text", text: "plan", format: "unknown", index: 0 },
        { type: "reasoning.encrypted", data: "c2VhbGVk", format: "google-gemini-v1", index: 1 }
      ]
    }),
    events: chatStream([
      {
        content: "",
        reasoning: "plan",
        reasoning_details: [{ type: "reasoning.text", text: "plan", format: "unknown", index: 0 }]
      },
      {
        content: "",
        reasoning: null,
        reasoning_details: [
          { type: "reasoning.encrypted", data: "c2VhbGVk", format: "google-gemini-v1", index: 1 }
        ]
      },
      { content: "ab" }
    ]),
    expected: { text: "ab", thinking: "plan" }
  }
]
