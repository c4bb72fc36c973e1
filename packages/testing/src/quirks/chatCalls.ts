/** How servers of the chat dialect write the calls of tools. */
import {
  call,
  chatAnswer,
  chatStream,
  chunk,
  done,
  east,
  lookEast,
  lookWest,
  usageChunk,
  west
} from "./chatFragments.ts"
import type { SendsQuirk } from "./Quirk.ts"

const textCall = (given: string) =>
  `<tool_call>\n{"name": "look", "arguments": ${given}}\n</tool_call>`

const madeUp = "The call gets an id, the same for every caller, whole and streamed."

export const chatCalls: ReadonlyArray<SendsQuirk> = [
  {
    id: "ollama.stop-after-calls",
    kind: "sends",
    providers: ["ollama", "openai", "other"],
    dialect: "chat",
    what: 'An answer with calls ends with `finish_reason: "stop"`.',
    source: "https://github.com/ollama/ollama/pull/7963",
    handling: "Every caller gets the reason that its API has for calls.",
    whole: chatAnswer({ content: "", tool_calls: [call("call_e", east)] }, "stop"),
    events: chatStream([{ tool_calls: [{ index: 0, ...call("call_e", east) }] }], "stop"),
    expected: { calls: [{ id: "call_e", ...lookEast }] }
  },
  {
    id: "vllm.calls-as-text",
    kind: "sends",
    providers: ["vllm", "ollama", "llamacpp", "other"],
    dialect: "chat",
    what: "Without a tool parser for the model, calls are `<tool_call>` blocks in `content`, and nothing else is.",
    source: "https://github.com/NousResearch/hermes-agent/pull/35129",
    handling:
      "Read as calls where the whole answer is such blocks, of tools of the request; anything else stays text.",
    whole: chatAnswer({ content: `${textCall(east)}\n${textCall(west)}` }),
    events: chatStream([
      { content: "\n" },
      { content: "<tool" },
      { content: textCall(east).slice(5) },
      { content: `\n${textCall(west)}` }
    ]),
    expected: { calls: [lookEast, lookWest] }
  },
  {
    id: "lmstudio.empty-call-id",
    kind: "sends",
    providers: ["lmstudio"],
    dialect: "chat",
    what: "The `id` of a call is an empty text.",
    source: "https://github.com/nugget/thane-ai-agent/pull/1396",
    handling: madeUp,
    whole: chatAnswer({ content: "", tool_calls: [call("", east)] }, "tool_calls"),
    events: chatStream(
      [
        { tool_calls: [{ index: 0, ...call("", "") }] },
        { tool_calls: [{ index: 0, function: { arguments: east } }] }
      ],
      "tool_calls"
    ),
    expected: { calls: [lookEast] }
  },
  {
    id: "lmstudio.empty-call-list",
    kind: "sends",
    providers: ["lmstudio", "vllm"],
    dialect: "chat",
    what: "An answer without calls has `tool_calls: []`.",
    source: "https://github.com/lmstudio-ai/lmstudio-bug-tracker/issues/1318",
    handling: "No caller gets a call, and the answer ends with `stop`.",
    whole: chatAnswer({ content: "ab", tool_calls: [] }),
    events: chatStream([{ content: "ab", tool_calls: [] }]),
    expected: { text: "ab" }
  },
  {
    id: "llamacpp.no-call-id",
    kind: "sends",
    providers: ["llamacpp"],
    dialect: "chat",
    what: "The calls of a whole answer have no `id`.",
    source: "https://github.com/ggml-org/llama.cpp/issues/11992",
    handling: madeUp,
    whole: chatAnswer(
      { content: null, tool_calls: [call(undefined, east), call(undefined, west)] },
      "tool_calls"
    ),
    expected: { calls: [lookEast, lookWest] }
  },
  {
    id: "llamacpp.arguments-object",
    kind: "sends",
    providers: ["llamacpp"],
    dialect: "chat",
    what: "`arguments` is an object instead of its JSON text.",
    source: "https://github.com/ggml-org/llama.cpp/issues/20198",
    handling: "Read as the JSON text of the object.",
    whole: chatAnswer(
      { content: null, tool_calls: [call("call_e", { at: "east" })] },
      "tool_calls"
    ),
    events: chatStream(
      [{ tool_calls: [{ index: 0, ...call("call_e", { at: "east" }) }] }],
      "tool_calls"
    ),
    expected: { calls: [{ id: "call_e", ...lookEast }] }
  },
  {
    id: "geminiOpenai.empty-call-id",
    kind: "sends",
    providers: ["geminiOpenai"],
    dialect: "chat",
    what: "The `id` of a call is an empty text, and the answer ends with `stop`.",
    source: "https://github.com/microsoft/autogen/issues/4878",
    handling: madeUp,
    whole: chatAnswer({ content: null, tool_calls: [call("", east), call("", west)] }, "stop"),
    events: chatStream(
      [
        { tool_calls: [{ index: 0, ...call("", east) }] },
        { tool_calls: [{ index: 1, ...call("", west) }] }
      ],
      "stop"
    ),
    expected: { calls: [lookEast, lookWest] }
  },
  {
    id: "geminiOpenai.thought-signature",
    kind: "sends",
    providers: ["geminiOpenai"],
    dialect: "chat",
    what: "The first call of a step has `extra_content.google.thought_signature`, without which the next turn is refused.",
    source: "https://github.com/0xsline/OpenChatCut/issues/6",
    handling: "Every caller gets it as the signature of a thought, and it goes back to its call.",
    whole: chatAnswer(
      {
        content: null,
        tool_calls: [
          {
            ...call("function-call-1", east),
            extra_content: { google: { thought_signature: "c2lnbmVk" } }
          }
        ]
      },
      "tool_calls"
    ),
    events: chatStream(
      [
        {
          tool_calls: [
            {
              index: 0,
              ...call("function-call-1", east),
              extra_content: { google: { thought_signature: "c2lnbmVk" } }
            }
          ]
        }
      ],
      "tool_calls"
    ),
    expected: { calls: [{ id: "function-call-1", ...lookEast }] }
  },
  {
    id: "other.same-call-ids",
    kind: "sends",
    providers: ["other"],
    dialect: "chat",
    what: "Two calls have the same id.",
    source: "https://github.com/HKUDS/nanobot/issues/4059",
    handling: "The second call gets an id of its own.",
    whole: chatAnswer(
      { content: null, tool_calls: [call("same", east), call("same", west)] },
      "tool_calls"
    ),
    events: chatStream(
      [
        { tool_calls: [{ index: 0, ...call("same", east) }] },
        { tool_calls: [{ index: 1, ...call("same", west) }] }
      ],
      "tool_calls"
    ),
    expected: { calls: [{ id: "same", ...lookEast }, lookWest] }
  },
  {
    id: "other.finish-function-calls",
    kind: "sends",
    providers: ["other"],
    dialect: "chat",
    what: "An answer with calls ends with `tool_call` or `function_calls`.",
    source: "https://github.com/ml-explore/mlx-lm/pull/782",
    handling: "Every caller gets the reason that its API has for calls.",
    whole: chatAnswer({ content: "", tool_calls: [call("call_e", east)] }, "tool_call"),
    events: chatStream([{ tool_calls: [{ index: 0, ...call("call_e", east) }] }], "function_calls"),
    expected: { calls: [{ id: "call_e", ...lookEast }] }
  },
  {
    id: "openai.call-without-arguments",
    kind: "sends",
    providers: ["openai", "other"],
    dialect: "chat",
    what: "A call of a tool without parameters may have an empty text as arguments.",
    source: "https://github.com/vercel/ai/pull/7326",
    handling: "Read as `{}`.",
    whole: chatAnswer({ content: null, tool_calls: [call("call_n", "", "now")] }, "tool_calls"),
    events: [
      chunk({
        role: "assistant",
        content: null,
        tool_calls: [{ index: 0, ...call("call_n", "", "now") }]
      }),
      chunk({}, "tool_calls"),
      usageChunk,
      done
    ],
    expected: { calls: [{ id: "call_n", name: "now", arguments: {} }] }
  }
]
