/** What the suite for chats expects of an upstream, where the APIs of providers differ. */
import type { ServerSentEvent } from "../ServerSentEvent.ts"
import * as fault from "../fault.ts"
import * as reply from "../reply.ts"
import type { Step } from "../Step.ts"

type Json = Readonly<Record<string, unknown>>

/** The API that the upstream speaks. */
export interface ChatContractDialect {
  /** Whether it is OpenAI's dialect: requests and answers pass unchanged. */
  readonly isChat: boolean
  /** Whether an answer can be one of several, and has the probabilities of its tokens. */
  readonly hasSamples: boolean
  /** Whether only a last event completes a stream; if not, so does the end of its body after the finish reason. */
  readonly needsEndMarker: boolean
  /** Whether an answer says the service tier. */
  readonly tellsTier: boolean
  /** Whether each piece of a stream says the service tier. */
  readonly tellsTierEarly: boolean
  /** Whether the last event of a stream has the finish reason, which then is missing with it. */
  readonly finishesLast: boolean
  /** The provider's own words of finish reasons, where they differ. */
  readonly nativeReasons: Readonly<Record<string, string>>
  /** Whether a stream says a call as a whole. */
  readonly saysWholeCalls: boolean
  /** The arguments of a call without any. */
  readonly noArguments: string
  /** Codes of errors, which may be words of the provider, and their kinds. */
  readonly errors: ReadonlyArray<readonly [number | string, string]>
  /** A 200 whose body says "slow down" instead of an answer. */
  readonly slowDown: Step
  /** What is no answer, although it may be JSON. */
  readonly nonsense: ReadonlyArray<readonly [string, Step]>
  /** The events until the text `one`. */
  readonly one: ReadonlyArray<ServerSentEvent>
  /** An event that says `text`, which is part of a JSON string. */
  readonly say: (text: string) => string
  /** Answers that hold `nested`, as a whole and as an event. */
  readonly nest: (nested: string) => { readonly whole: string; readonly event: string }
}

export type ChatContractDialectName = "chat" | "messages" | "responses" | "gemini"

const start = {
  type: "message_start",
  message: {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "contract/model",
    content: [],
    stop_reason: null,
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 0 }
  }
}

const toNamed = (data: Json & { readonly type: string }): ServerSentEvent => ({
  event: data.type,
  data
})

const said = { type: "message", id: "msg_1", role: "assistant", status: "in_progress", content: [] }
const place = { item_id: "msg_1", output_index: 0, content_index: 0 }

export const chatContractDialects: Readonly<Record<ChatContractDialectName, ChatContractDialect>> =
  {
    chat: {
      isChat: true,
      hasSamples: true,
      needsEndMarker: false,
      tellsTier: true,
      tellsTierEarly: true,
      finishesLast: false,
      nativeReasons: {},
      saysWholeCalls: false,
      noArguments: "{}",
      errors: [
        [502, "server_error"],
        [429, "rate_limited"],
        [529, "overloaded"],
        ["server_error", "server_error"],
        ["context_length_exceeded", "context_length"]
      ],
      slowDown: reply.json({ error: { code: 429, message: "slow down" } }),
      nonsense: [
        ["no choice", reply.json({ choices: [], usage: null })],
        ["a null choice", reply.json({ choices: [null] })],
        ["no event but the last", reply.events([{ data: "[DONE]" }])],
        ["no answer", reply.events([{ data: { choices: [] } }, { data: "[DONE]" }])]
      ],
      one: [{ data: { choices: [{ delta: { content: "one" } }] } }],
      say: (text) => `{"choices":[{"delta":{"content":"${text}"}}]}`,
      nest: (nested) => {
        const deep = `{"choices":[{"delta":{"x":${nested}},"message":{"x":${nested}}}]}`
        return { whole: deep, event: deep }
      }
    },
    messages: {
      isChat: false,
      hasSamples: false,
      needsEndMarker: true,
      tellsTier: true,
      tellsTierEarly: false,
      finishesLast: false,
      nativeReasons: { stop: "end_turn", tool_calls: "tool_use" },
      saysWholeCalls: false,
      noArguments: "{}",
      errors: [
        [502, "server_error"],
        [429, "rate_limited"],
        [529, "overloaded"],
        ["timeout_error", "timeout"],
        ["api_error", "server_error"],
        ["invalid_request_error", "bad_request"]
      ],
      slowDown: fault.errorInBody(429, "slow down"),
      nonsense: [
        ["no content", reply.json({ type: "message", content: null, usage: null })],
        ["no event but the last", reply.events([toNamed({ type: "message_stop" })])],
        ["no answer", reply.events([toNamed(start), toNamed({ type: "message_stop" })])]
      ],
      one: [
        toNamed(start),
        toNamed({
          type: "content_block_start",
          index: 0,
          content_block: { type: "text", text: "" }
        }),
        toNamed({
          type: "content_block_delta",
          index: 0,
          delta: { type: "text_delta", text: "one" }
        })
      ],
      say: (text) =>
        `{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":"${text}"}}`,
      nest: (nested) => {
        const call = `{"type":"tool_use","id":"toolu_1","name":"f","input":{"x":${nested}}}`
        return {
          whole: `{"type":"message","content":[${call}]}`,
          event: `{"type":"content_block_start","index":0,"content_block":${call}}`
        }
      }
    },
    responses: {
      isChat: false,
      hasSamples: false,
      needsEndMarker: true,
      tellsTier: true,
      tellsTierEarly: true,
      finishesLast: true,
      nativeReasons: { stop: "completed", tool_calls: "completed" },
      saysWholeCalls: false,
      noArguments: "{}",
      errors: [
        [502, "server_error"],
        [429, "rate_limited"],
        [529, "overloaded"],
        ["server_error", "server_error"],
        ["context_length_exceeded", "context_length"],
        ["invalid_prompt", "content_refused"]
      ],
      slowDown: fault.errorInBody(429, "slow down"),
      nonsense: [
        ["no output", reply.json({ object: "response", status: "completed", output: null })],
        ["an answer that is not finished", reply.json({ status: "queued", output: [] })],
        ["no event but the last", reply.events([toNamed({ type: "response.completed" })])]
      ],
      one: [
        toNamed({ type: "response.created", response: { id: "resp_1", status: "in_progress" } }),
        toNamed({ type: "response.output_item.added", output_index: 0, item: said }),
        toNamed({
          type: "response.content_part.added",
          ...place,
          part: { type: "output_text", text: "", annotations: [], logprobs: [] }
        }),
        toNamed({ type: "response.output_text.delta", ...place, logprobs: [], delta: "one" })
      ],
      say: (text) =>
        `{"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"logprobs":[],"delta":"${text}"}`,
      nest: (nested) => {
        const call = `{"type":"function_call","call_id":"call_1","name":"f","arguments":"{}","x":${nested}}`
        return {
          whole: `{"object":"response","status":"completed","output":[${call}]}`,
          event: `{"type":"response.output_item.done","output_index":0,"item":${call}}`
        }
      }
    },
    gemini: {
      isChat: false,
      hasSamples: true,
      needsEndMarker: false,
      tellsTier: false,
      tellsTierEarly: false,
      finishesLast: false,
      nativeReasons: { stop: "STOP", tool_calls: "STOP" },
      saysWholeCalls: true,
      noArguments: "{}",
      errors: [
        [502, "server_error"],
        [429, "rate_limited"],
        [529, "overloaded"],
        ["DEADLINE_EXCEEDED", "timeout"],
        ["INTERNAL", "server_error"],
        ["INVALID_ARGUMENT", "bad_request"]
      ],
      slowDown: fault.errorInBody(429, "slow down"),
      nonsense: [
        ["no candidate", reply.json({ candidates: [], usageMetadata: null })],
        ["a null candidate", reply.json({ candidates: [null] })],
        ["no event", reply.events([])],
        ["no answer", reply.events([{ data: { candidates: [] } }])]
      ],
      one: [{ data: { candidates: [{ index: 0, content: { parts: [{ text: "one" }] } }] } }],
      say: (text) => `{"candidates":[{"index":0,"content":{"parts":[{"text":"${text}"}]}}]}`,
      nest: (nested) => {
        const part = `{"functionCall":{"name":"f","args":{"x":${nested}}}}`
        const deep = `{"candidates":[{"index":0,"content":{"parts":[${part}]}}]}`
        return { whole: deep, event: deep }
      }
    }
  }
