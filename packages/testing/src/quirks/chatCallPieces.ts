/** How servers of the chat dialect cut the calls of a stream into pieces. */
import { call, chatStream, east, lookEast, lookWest, west } from "./chatFragments.ts"
import type { SendsQuirk } from "./Quirk.ts"

const madeUp = "The call gets an id, the same for every caller, whole and streamed."
const repaired = "A new id or name begins a new call; every caller gets the indices 0, 1 and so on."

export const chatCallPieces: ReadonlyArray<SendsQuirk> = [
  {
    id: "ollama.calls-at-index-0",
    kind: "sends",
    providers: ["ollama", "vllm", "other"],
    dialect: "chat",
    what: "All calls of a stream have `index: 0`, each with an id of its own.",
    source: "https://github.com/ollama/ollama/issues/15457",
    handling: repaired,
    events: chatStream(
      [
        { content: "", tool_calls: [{ index: 0, ...call("call_e", east) }] },
        { content: "", tool_calls: [{ index: 0, ...call("call_w", west) }] }
      ],
      "tool_calls"
    ),
    expected: {
      calls: [
        { id: "call_e", ...lookEast },
        { id: "call_w", ...lookWest }
      ]
    }
  },
  {
    id: "ollama.calls-without-index",
    kind: "sends",
    providers: ["ollama", "other"],
    dialect: "chat",
    what: "The calls of a stream have no `index`.",
    source: "https://github.com/ollama/ollama/issues/7881",
    handling: repaired,
    events: chatStream(
      [{ tool_calls: [call("call_e", east)] }, { tool_calls: [call("call_w", west)] }],
      "tool_calls"
    ),
    expected: {
      calls: [
        { id: "call_e", ...lookEast },
        { id: "call_w", ...lookWest }
      ]
    }
  },
  {
    id: "vllm.no-call-id-in-streams",
    kind: "sends",
    providers: ["vllm"],
    dialect: "chat",
    what: "The calls of a stream have no `id`, unlike those of a whole answer.",
    source: "https://github.com/vllm-project/vllm/issues/18412",
    handling: madeUp,
    events: chatStream(
      [
        { tool_calls: [{ index: 0, ...call(undefined, "") }] },
        { tool_calls: [{ index: 0, function: { arguments: east } }] },
        { tool_calls: [{ index: 1, ...call(undefined, "") }] },
        { tool_calls: [{ index: 1, function: { arguments: west } }] }
      ],
      "tool_calls"
    ),
    expected: { calls: [lookEast, lookWest] }
  },
  {
    id: "vllm.empty-id-in-pieces",
    kind: "sends",
    providers: ["vllm"],
    dialect: "chat",
    what: 'Pieces of arguments have `id: ""`, and a second call has the index of the first.',
    source: "https://github.com/InternLM/lmdeploy/issues/3412",
    handling: repaired,
    events: chatStream(
      [
        { tool_calls: [{ index: 0, ...call("chatcmpl-tool-1", "") }] },
        {
          tool_calls: [
            { index: 0, id: "", type: "function", function: { name: null, arguments: east } }
          ]
        },
        { tool_calls: [{ index: 0, ...call("chatcmpl-tool-2", "") }] },
        {
          tool_calls: [
            { index: 0, id: "", type: "function", function: { name: null, arguments: west } }
          ]
        }
      ],
      "tool_calls"
    ),
    expected: {
      calls: [
        { id: "chatcmpl-tool-1", ...lookEast },
        { id: "chatcmpl-tool-2", ...lookWest }
      ]
    }
  },
  {
    id: "vllm.null-arguments",
    kind: "sends",
    providers: ["vllm"],
    dialect: "chat",
    what: "The first piece of a call has `arguments: null`.",
    source: "https://github.com/vllm-project/vllm/issues/9693",
    handling: "Read as no arguments yet.",
    events: chatStream(
      [
        { tool_calls: [{ index: 0, ...call("call_e", null) }] },
        { tool_calls: [{ index: 0, function: { arguments: east } }] }
      ],
      "tool_calls"
    ),
    expected: { calls: [{ id: "call_e", ...lookEast }] }
  },
  {
    id: "other.repeated-call-id",
    kind: "sends",
    providers: ["other"],
    dialect: "chat",
    what: "Each piece of a call repeats its id, and a second call has the index of the first (SGLang).",
    source: "https://github.com/InternLM/lmdeploy/issues/3412",
    handling: repaired,
    events: chatStream(
      [
        { tool_calls: [{ index: 0, ...call("0", "") }] },
        {
          tool_calls: [
            { index: 0, id: "0", type: "function", function: { name: null, arguments: east } }
          ]
        },
        { tool_calls: [{ index: 0, ...call("1", "") }] },
        {
          tool_calls: [
            { index: 0, id: "1", type: "function", function: { name: null, arguments: west } }
          ]
        }
      ],
      "tool_calls"
    ),
    expected: {
      calls: [
        { id: "0", ...lookEast },
        { id: "1", ...lookWest }
      ]
    }
  },
  {
    id: "other.index-from-1",
    kind: "sends",
    providers: ["other"],
    dialect: "chat",
    what: "The indices of calls begin at 1, where a text has the index 0 (gateways to Claude).",
    source: "https://github.com/BerriAI/litellm/issues/11407",
    handling: repaired,
    events: chatStream(
      [
        { content: "ab" },
        { tool_calls: [{ index: 1, ...call("tooluse_e", "") }] },
        { tool_calls: [{ index: 1, type: "function", function: { arguments: east } }] },
        { tool_calls: [{ index: 2, ...call("tooluse_w", "") }] },
        { tool_calls: [{ index: 2, type: "function", function: { arguments: west } }] }
      ],
      "tool_calls"
    ),
    expected: {
      text: "ab",
      calls: [
        { id: "tooluse_e", ...lookEast },
        { id: "tooluse_w", ...lookWest }
      ]
    }
  }
]
