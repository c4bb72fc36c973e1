/** Calls as public servers of the chat dialect are known to write them, and what they mean. */
import type { Json } from "../dialects/NativeAnswer.ts"

export interface CallCase {
  readonly name: string
  /** The `tool_calls` of a whole answer. Absent: only streams are special. */
  readonly whole?: unknown
  /** The deltas of a stream. Absent: one with all of `whole`. */
  readonly deltas?: ReadonlyArray<Json>
  /** The reason for the end; null: none. Default `tool_calls`. */
  readonly finish?: string | null
  /** The names and arguments of the calls. Default: `look` with `{"at":1}` and `{"at":2}`. */
  readonly expected?: ReadonlyArray<Json>
}

const look = (text: unknown) => ({ name: "look", arguments: text })
const named = (at: number, rest: Json = {}): Json => ({
  type: "function",
  function: look(`{"at":${at}}`),
  ...rest
})
const piece = (fields: Json): Json => ({ tool_calls: [fields] })
const more = (text: string, rest: Json = {}): Json =>
  piece({ function: { arguments: text }, ...rest })
const start = (rest: Json = {}): Json => piece({ type: "function", function: look(""), ...rest })

const one = [{ name: "look", arguments: { at: 1 } }]
const none = [{ name: "look", arguments: {} }]

/** Sources: what each server did. */
export const callCases: ReadonlyArray<CallCase> = [
  // vLLM (https://github.com/vllm-project/vllm/issues/18412).
  { name: "without ids", whole: [named(1), named(2)] },
  { name: "with ids that are null", whole: [named(1, { id: null }), named(2, { id: null })] },
  { name: "with empty ids", whole: [named(1, { id: "" }), named(2, { id: "" })] },
  { name: "with numbers for ids", whole: [named(1, { id: 1 }), named(2, { id: 2 })] },
  // llama.cpp (https://github.com/ggml-org/llama.cpp/issues/27966).
  { name: "with the same id", whole: [named(1, { id: "a" }), named(2, { id: "a" })] },
  {
    name: "with the same id at two indices",
    deltas: [piece(named(1, { index: 0, id: "a" })), piece(named(2, { index: 1, id: "a" }))]
  },
  {
    name: "with the same id at two indices, in turns",
    deltas: [
      start({ index: 0, id: "a" }),
      start({ index: 1, id: "a" }),
      more('{"at":', { index: 0, id: "a" }),
      more('{"at":', { index: 1, id: "a" }),
      more("1}", { index: 0 }),
      more("2}", { index: 1 })
    ]
  },
  {
    name: "with the same id and index",
    deltas: [piece(named(1, { index: 0, id: "a" })), piece(named(2, { index: 0, id: "a" }))]
  },
  // Ollama (https://github.com/ollama/ollama/issues/15457, https://github.com/ollama/ollama/issues/7881).
  {
    name: "that all have index 0",
    deltas: [piece(named(1, { index: 0, id: "a" })), piece(named(2, { index: 0, id: "b" }))]
  },
  {
    name: "that all have index 0, in pieces",
    deltas: [
      start({ index: 0, id: "a" }),
      more('{"at":1}', { index: 0 }),
      start({ index: 0, id: "b" }),
      more('{"at":2}', { index: 0 })
    ]
  },
  {
    name: "that all have index 0 and no id",
    deltas: [piece(named(1, { index: 0 })), piece(named(2, { index: 0 }))]
  },
  {
    name: "that all have index 0 in one delta",
    deltas: [{ tool_calls: [named(1, { index: 0, id: "a" }), named(2, { index: 0, id: "b" })] }]
  },
  {
    name: "without indices",
    deltas: [piece(named(1, { id: "a" })), piece(named(2, { id: "b" }))]
  },
  { name: "without indices, in one delta", deltas: [{ tool_calls: [named(1), named(2)] }] },
  {
    name: "without indices, in pieces",
    deltas: [
      start({ id: "a" }),
      more('{"at":', { id: "a" }),
      more("1}"),
      start({ id: "b" }),
      more('{"at":'),
      more("2}", { id: "b" })
    ]
  },
  {
    name: "without indices and ids, in pieces",
    deltas: [start(), more('{"at":'), more("1}"), start(), more('{"at":2}')]
  },
  // LocalAI and gateways that count from 1.
  {
    name: "with indices from 1",
    deltas: [
      start({ index: 1, id: "a" }),
      more('{"at":1}', { index: 1 }),
      start({ index: 2, id: "b" }),
      more('{"at":2}', { index: 2 })
    ]
  },
  {
    name: "with indices far apart",
    deltas: [piece(named(1, { index: 7, id: "a" })), piece(named(2, { index: 3, id: "b" }))]
  },
  {
    name: "with negative indices",
    deltas: [piece(named(1, { index: -1, id: "a" })), piece(named(2, { index: -1, id: "b" }))]
  },
  {
    name: "with texts for indices",
    deltas: [
      start({ index: "0", id: "a" }),
      start({ index: "1", id: "b" }),
      more('{"at":1}', { index: "0" }),
      more('{"at":2}', { index: "1" })
    ]
  },
  {
    name: "with indices that are null",
    deltas: [piece(named(1, { index: null })), piece(named(2, { index: null }))]
  },
  // vLLM's pieces had a new id each by default: DeltaToolCall in vllm/entrypoints/openai/protocol.py, 2024.
  {
    name: "with a new id in each piece",
    deltas: [
      start({ index: 0, id: "a" }),
      more('{"at":', { index: 0, id: "b" }),
      more("1}", { index: 0, id: "c" }),
      start({ index: 1, id: "d" }),
      more('{"at":2}', { index: 1, id: "e" })
    ]
  },
  {
    name: "with the name in each piece",
    deltas: [
      piece({ index: 0, id: "a", type: "function", function: look("") }),
      piece({ index: 0, id: "a", type: "function", function: look('{"at":') }),
      piece({ index: 0, id: "a", type: "function", function: look("1}") })
    ],
    expected: one
  },
  {
    name: "with empty ids and names in later pieces",
    deltas: [
      start({ index: 0, id: "a" }),
      piece({ index: 0, id: "", type: "", function: { name: "", arguments: '{"at":' } }),
      piece({ index: 0, id: null, function: { name: null, arguments: "1}" } })
    ],
    expected: one
  },
  {
    name: "whose name comes late",
    deltas: [
      piece({ index: 0, id: "a", type: "function", function: { arguments: "" } }),
      more('{"at":', { index: 0 }),
      piece({ index: 0, function: { name: "look", arguments: "1}" } })
    ],
    expected: one
  },
  {
    name: "whose id comes late",
    deltas: [start({ index: 0 }), more('{"at":1}', { index: 0, id: "a" })],
    expected: one
  },
  {
    name: "that are said again as a whole at the end",
    deltas: [
      start({ index: 0, id: "a" }),
      more('{"at":1}', { index: 0 }),
      piece(named(1, { index: 0, id: "a" }))
    ],
    expected: one
  },
  {
    name: "without a type",
    whole: [
      { index: 0, id: "a", function: look('{"at":1}') },
      { index: 1, id: "b", type: null, function: look('{"at":2}') }
    ]
  },
  {
    name: "in a single object",
    whole: named(1, { id: "a" }),
    expected: one
  },
  {
    name: "without the object around name and arguments",
    whole: [{ id: "a", type: "function", name: "look", arguments: '{"at":1}' }],
    expected: one
  },
  // llama.cpp (https://github.com/ggml-org/llama.cpp/issues/20198).
  {
    name: "with an object for arguments",
    whole: [
      { id: "a", type: "function", function: look({ at: 1 }) },
      { id: "b", type: "function", function: look({ at: 2 }) }
    ]
  },
  {
    name: "with arguments that are null",
    whole: [{ index: 0, id: "a", type: "function", function: look(null) }],
    expected: none
  },
  {
    name: "with empty arguments",
    whole: [{ index: 0, id: "a", type: "function", function: look("") }],
    expected: none
  },
  {
    name: "with the text null for arguments",
    whole: [{ index: 0, id: "a", type: "function", function: look("null") }],
    expected: none
  },
  {
    name: "with an empty list for arguments",
    whole: [{ index: 0, id: "a", type: "function", function: look([]) }],
    expected: none
  },
  {
    name: "without arguments",
    whole: [{ index: 0, id: "a", type: "function", function: { name: "look" } }],
    expected: none
  },
  // vLLM with Granite 4 (https://github.com/vllm-project/vllm/pull/54964).
  {
    name: "with arguments encoded twice",
    whole: [
      { id: "a", type: "function", function: look(JSON.stringify('{"at":1}')) },
      { id: "b", type: "function", function: look(JSON.stringify('{"at":2}')) }
    ]
  },
  {
    name: "with arguments encoded twice, in pieces",
    deltas: [
      start({ index: 0, id: "a" }),
      more('"{\\"at\\"', { index: 0 }),
      more(':1}"', { index: 0 })
    ],
    expected: one
  },
  // Ollama, mlx-vlm, OpenVINO (https://github.com/openvinotoolkit/model_server/issues/3927).
  {
    name: "that end with stop",
    whole: [named(1, { id: "a" }), named(2, { id: "b" })],
    finish: "stop"
  },
  { name: "that end with an empty reason", whole: [named(1), named(2)], finish: "" },
  { name: "that end without a reason", whole: [named(1), named(2)], finish: null },
  { name: "that end in Anthropic's words", whole: [named(1), named(2)], finish: "tool_use" }
]

/** The same in the form that predates tools, which some servers still answer with. */
export const functionCallCases: ReadonlyArray<CallCase & { readonly message: Json }> = [
  {
    name: "as function_call",
    message: { content: null, function_call: look('{"at":1}') },
    deltas: [
      { function_call: look("") },
      { function_call: { arguments: '{"at":' } },
      { function_call: { arguments: "1}" } }
    ],
    finish: "function_call",
    expected: one
  },
  {
    name: "as function_call with an object",
    message: { content: null, function_call: look({ at: 1 }) },
    deltas: [{ function_call: look({ at: 1 }) }],
    finish: "stop",
    expected: one
  }
]
