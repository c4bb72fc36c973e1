/** What servers of the Responses API send. */
import type { ServerSentEvent } from "../ServerSentEvent.ts"
import { east, lookEast } from "./chatFragments.ts"
import type { Json, SendsQuirk } from "./Quirk.ts"
import { signatures } from "./signatures.ts"

const usage = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 9,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 29
}
const counted = { prompt: 20, completion: 9 }

const answer = (output: ReadonlyArray<Json>, rest: Json = {}): Json => ({
  id: "resp_1",
  object: "response",
  created_at: 1_700_000_000,
  status: "completed",
  error: null,
  incomplete_details: null,
  model: "gpt-5",
  output,
  usage,
  ...rest
})

const event = (type: string, rest: Json): ServerSentEvent => ({
  event: `response.${type}`,
  data: { type: `response.${type}`, ...rest }
})

const begin = [
  event("created", { response: answer([], { status: "in_progress", usage: null }) }),
  event("in_progress", { response: answer([], { status: "in_progress", usage: null }) })
]

const complete = (output: ReadonlyArray<Json>): ServerSentEvent =>
  event("completed", { response: answer(output) })

const message = {
  type: "message",
  id: "msg_1",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text: "ab", annotations: [] }]
}

const saying = (output_index: number): ReadonlyArray<ServerSentEvent> => {
  const at = { item_id: "msg_1", output_index, content_index: 0 }
  return [
    event("output_item.added", {
      output_index,
      item: { ...message, status: "in_progress", content: [] }
    }),
    event("content_part.added", {
      ...at,
      part: { type: "output_text", text: "", annotations: [] }
    }),
    event("output_text.delta", { ...at, delta: "ab" }),
    event("output_text.done", { ...at, text: "ab" }),
    event("content_part.done", { ...at, part: message.content[0] }),
    event("output_item.done", { output_index, item: message })
  ]
}

const functionCall = (call_id: string): Json => ({
  type: "function_call",
  id: "fc_1",
  status: "completed",
  call_id,
  name: "look",
  arguments: east
})

const calling = (output_index: number, call_id: string): ReadonlyArray<ServerSentEvent> => {
  const at = { item_id: "fc_1", output_index }
  return [
    event("output_item.added", {
      output_index,
      item: { ...functionCall(call_id), status: "in_progress", arguments: "" }
    }),
    event("function_call_arguments.delta", { ...at, delta: east }),
    event("function_call_arguments.done", { ...at, arguments: east }),
    event("output_item.done", { output_index, item: functionCall(call_id) })
  ]
}

const reasoning = {
  type: "reasoning",
  id: "rs_1",
  summary: [{ type: "summary_text", text: "plan" }],
  encrypted_content: signatures.openai
}
const reasoningText = {
  type: "reasoning",
  id: "rs_1",
  summary: [],
  content: [{ type: "reasoning_text", text: "plan" }]
}
/** An id as other servers make them. */
const long = `call_${"x".repeat(67)}`

export const responsesSends: ReadonlyArray<SendsQuirk> = [
  {
    id: "openai.encrypted-reasoning",
    kind: "sends",
    providers: ["openai"],
    dialect: "responses",
    model: "gpt-5",
    what: "A reasoning item has summaries, and `encrypted_content` that must come back where nothing is stored.",
    source: "https://github.com/zendev-sh/goai/issues/134",
    handling:
      "Every caller gets the summaries as thinking, and the rest in the words of its API; it goes back whole.",
    whole: answer([reasoning, functionCall("call_sealed")]),
    events: [
      ...begin,
      event("output_item.added", { output_index: 0, item: { ...reasoning, summary: [] } }),
      event("reasoning_summary_part.added", {
        item_id: "rs_1",
        output_index: 0,
        summary_index: 0,
        part: { type: "summary_text", text: "" }
      }),
      event("reasoning_summary_text.delta", {
        item_id: "rs_1",
        output_index: 0,
        summary_index: 0,
        delta: "plan"
      }),
      event("reasoning_summary_text.done", {
        item_id: "rs_1",
        output_index: 0,
        summary_index: 0,
        text: "plan"
      }),
      event("reasoning_summary_part.done", {
        item_id: "rs_1",
        output_index: 0,
        summary_index: 0,
        part: { type: "summary_text", text: "plan" }
      }),
      event("output_item.done", { output_index: 0, item: reasoning }),
      ...calling(1, "call_sealed"),
      complete([reasoning, functionCall("call_sealed")])
    ],
    expected: { thinking: "plan", calls: [{ id: "call_sealed", ...lookEast }], usage: counted }
  },
  {
    id: "other.summary-without-part",
    kind: "sends",
    providers: ["other"],
    dialect: "responses",
    what: "Deltas of a summary come without `reasoning_summary_part.added` before them (Ollama).",
    source: "https://github.com/can1357/oh-my-pi/issues/8696",
    handling:
      "The first delta begins the summary. Callers of the Responses API get the events as they are.",
    apis: ["chat", "messages"],
    events: [
      ...begin,
      event("output_item.added", {
        output_index: 0,
        item: { type: "reasoning", id: "rs_1", summary: [] }
      }),
      event("reasoning_summary_text.delta", {
        item_id: "rs_1",
        output_index: 0,
        summary_index: 0,
        delta: "plan"
      }),
      event("output_item.done", {
        output_index: 0,
        item: { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "plan" }] }
      }),
      ...saying(1),
      complete([
        { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "plan" }] },
        message
      ])
    ],
    expected: { text: "ab", thinking: "plan" }
  },
  {
    id: "other.reasoning-text",
    kind: "sends",
    providers: ["other"],
    dialect: "responses",
    what: "A reasoning item has no summary, but a `content` of `reasoning_text` (DeepSeek, vLLM).",
    source: "https://github.com/moona3k/macparakeet/pull/1087",
    handling: "Read as thinking. Callers of the Responses API get the item as it is.",
    apis: ["chat", "messages"],
    whole: answer([reasoningText, message]),
    events: [
      ...begin,
      event("output_item.added", { output_index: 0, item: { ...reasoningText, content: [] } }),
      event("reasoning_text.delta", {
        item_id: "rs_1",
        output_index: 0,
        content_index: 0,
        delta: "plan"
      }),
      event("reasoning_text.done", {
        item_id: "rs_1",
        output_index: 0,
        content_index: 0,
        text: "plan"
      }),
      event("output_item.done", { output_index: 0, item: reasoningText }),
      ...saying(1),
      complete([reasoningText, message])
    ],
    expected: { text: "ab", thinking: "plan" }
  },
  {
    id: "openai.error-then-failed",
    kind: "sends",
    providers: ["openai"],
    dialect: "responses",
    what: "A failure in a stream is an event `error`, and `response.failed` after it.",
    source: "https://github.com/vercel/ai/pull/13480",
    handling: "The caller gets an error, or another endpoint's answer while nothing was sent.",
    events: [
      ...begin,
      {
        event: "error",
        data: {
          type: "error",
          code: "server_error",
          message: "The server had an error.",
          param: null
        }
      },
      event("failed", {
        response: answer([], {
          status: "failed",
          usage: null,
          error: { code: "server_error", message: "The server had an error." }
        })
      })
    ],
    expected: { error: 502 }
  },
  {
    id: "openai.long-call-ids",
    kind: "sends",
    providers: ["openai"],
    dialect: "responses",
    what: "The ids of calls may be longer than the API takes back.",
    source: "https://github.com/earendil-works/pi/issues/1022",
    handling:
      "Callers get the id as it is, and send it back. An API with rules for ids gets one that fits.",
    whole: answer([functionCall(long)]),
    events: [...begin, ...calling(0, long), complete([functionCall(long)])],
    expected: { calls: [{ id: long, ...lookEast }] }
  }
]
