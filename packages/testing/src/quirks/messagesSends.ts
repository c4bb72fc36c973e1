/** What servers of the Messages API send. */
import type { ServerSentEvent } from "../ServerSentEvent.ts"
import { east, lookEast } from "./chatFragments.ts"
import type { Json, SendsQuirk } from "./Quirk.ts"
import { signatures } from "./signatures.ts"

const docs = "https://platform.claude.com/docs/build-with-claude/streaming"

const signature = signatures.anthropic

const usage = {
  input_tokens: 20,
  output_tokens: 9,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0
}

const answer = (content: ReadonlyArray<Json>, stop: string): Json => ({
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude",
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage
})

const event = (type: string, rest: Json = {}): ServerSentEvent => ({
  event: type,
  data: { type, ...rest }
})

const start = event("message_start", {
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { ...usage, output_tokens: 1 }
  }
})

const block = (
  index: number,
  content_block: Json,
  ...deltas: ReadonlyArray<Json>
): ReadonlyArray<ServerSentEvent> => [
  event("content_block_start", { index, content_block }),
  ...deltas.map((delta) => event("content_block_delta", { index, delta })),
  event("content_block_stop", { index })
]

const end = (stop: string): ReadonlyArray<ServerSentEvent> => [
  event("message_delta", {
    delta: { stop_reason: stop, stop_sequence: null },
    usage: { output_tokens: 9 }
  }),
  event("message_stop")
]

const counted = { prompt: 20, completion: 9 }

export const messagesSends: ReadonlyArray<SendsQuirk> = [
  {
    id: "anthropic.signed-thinking",
    kind: "sends",
    providers: ["anthropic"],
    dialect: "messages",
    what: "A thinking block ends with a delta that has its signature, without which it may not come back.",
    source: docs,
    handling:
      "Every caller gets the signature in the words of its API, and it goes back with its block.",
    whole: answer(
      [
        { type: "thinking", thinking: "plan", signature },
        { type: "tool_use", id: "toolu_look1", name: "look", input: { at: "east" } }
      ],
      "tool_use"
    ),
    events: [
      start,
      event("ping"),
      ...block(
        0,
        { type: "thinking", thinking: "", signature: "" },
        { type: "thinking_delta", thinking: "pl" },
        { type: "thinking_delta", thinking: "an" },
        { type: "signature_delta", signature }
      ),
      ...block(
        1,
        { type: "tool_use", id: "toolu_look1", name: "look", input: {} },
        { type: "input_json_delta", partial_json: "" },
        { type: "input_json_delta", partial_json: east }
      ),
      ...end("tool_use")
    ],
    expected: { thinking: "plan", calls: [{ id: "toolu_look1", ...lookEast }], usage: counted }
  },
  {
    id: "anthropic.empty-input",
    kind: "sends",
    providers: ["anthropic"],
    dialect: "messages",
    what: "The call of a tool without parameters has one delta, with an empty `partial_json`.",
    source: "https://github.com/activeagents/activeagent/pull/299",
    handling: "Read as `{}`.",
    whole: answer([{ type: "tool_use", id: "toolu_look1", name: "now", input: {} }], "tool_use"),
    events: [
      start,
      ...block(
        0,
        { type: "tool_use", id: "toolu_look1", name: "now", input: {} },
        { type: "input_json_delta", partial_json: "" }
      ),
      ...end("tool_use")
    ],
    expected: { calls: [{ id: "toolu_look1", name: "now", arguments: {} }] }
  },
  {
    id: "anthropic.omitted-thinking",
    kind: "sends",
    providers: ["anthropic"],
    dialect: "messages",
    model: "claude-opus-4-7",
    what: "Newer models leave the text of a thinking block empty, but still sign it.",
    source: "https://github.com/mako-ai/mako/pull/374",
    handling: "No caller gets an empty thought; the signature goes back.",
    whole: answer(
      [
        { type: "thinking", thinking: "", signature },
        { type: "text", text: "ab" }
      ],
      "end_turn"
    ),
    events: [
      start,
      ...block(
        0,
        { type: "thinking", thinking: "", signature: "" },
        { type: "signature_delta", signature }
      ),
      ...block(1, { type: "text", text: "" }, { type: "text_delta", text: "ab" }),
      ...end("end_turn")
    ],
    expected: { text: "ab", usage: counted }
  },
  {
    id: "anthropic.refusal",
    kind: "sends",
    providers: ["anthropic"],
    dialect: "messages",
    model: "claude-fable-5",
    what: 'A refusal is a 200 with `stop_reason: "refusal"`, without content if it came before any output.',
    source: "https://github.com/brightwave-inc/tidebreak/issues/555",
    handling:
      "An answer of the content filter in every API; it is charged, and no other endpoint is asked.",
    whole: answer([], "refusal"),
    events: [start, ...end("refusal")],
    expected: { finish: "content_filter" }
  },
  {
    id: "anthropic.overloaded-in-stream",
    kind: "sends",
    providers: ["anthropic"],
    dialect: "messages",
    what: "After a status 200 an event `error` may follow, such as `overloaded_error`, which is a 529 elsewhere.",
    source: docs,
    handling: "The caller gets an error, or another endpoint's answer while nothing was sent.",
    events: [start, event("error", { error: { type: "overloaded_error", message: "Overloaded" } })],
    expected: { error: 529 }
  },
  {
    id: "anthropic.unknown-events",
    kind: "sends",
    providers: ["anthropic"],
    dialect: "messages",
    what: "Streams have events `ping` in any place, and types of events may be added.",
    source: docs,
    handling: "Read as signs of life.",
    events: [
      event("ping"),
      start,
      event("weather_report", { index: 0 }),
      event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
      event("ping"),
      event("content_block_delta", { index: 0, delta: { type: "text_delta", text: "ab" } }),
      event("content_block_stop", { index: 0 }),
      ...end("end_turn")
    ],
    expected: { text: "ab" }
  }
]
