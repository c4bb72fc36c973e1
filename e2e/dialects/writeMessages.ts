/** Answers in Anthropic's Messages API, and the events that they are made of. */
import {
  findEnd,
  getUsage,
  type Json,
  listCalls,
  model,
  type NativeAnswer,
  type NativeEvent,
  type NativeUsage,
  nativeUsage,
  type Saying,
  type SpokenAnswer,
  toInput
} from "./NativeAnswer.ts"

const messagesStops = {
  stop: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  content_filter: "refusal"
} as const

export const toMessagesUsage = (usage: NativeUsage): Json => ({
  input_tokens: usage.prompt - usage.cached - usage.cacheWritten,
  cache_read_input_tokens: usage.cached,
  cache_creation_input_tokens: usage.cacheWritten,
  output_tokens: usage.completion,
  output_tokens_details: { thinking_tokens: usage.reasoning }
})

export const messagesEvent = (type: string, rest: Json = {}): NativeEvent => ({
  event: type,
  data: { type, ...rest }
})

export const messagesStart = (usage: Json = { input_tokens: 1, output_tokens: 1 }): NativeEvent =>
  messagesEvent("message_start", {
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage
    }
  })

export const messagesBlock = (
  index: number,
  block: Json,
  deltas: ReadonlyArray<Json>
): ReadonlyArray<NativeEvent> => [
  messagesEvent("content_block_start", { index, content_block: block }),
  ...deltas.map((delta) => messagesEvent("content_block_delta", { index, delta })),
  messagesEvent("content_block_stop", { index })
]

export const messagesEnd = (
  stop_reason: string,
  usage: NativeUsage | null = nativeUsage,
  stop_sequence: string | null = null
): ReadonlyArray<NativeEvent> => [
  messagesEvent("message_delta", {
    delta: { stop_reason, stop_sequence },
    ...(usage === null ? undefined : { usage: toMessagesUsage(usage) })
  }),
  messagesEvent("message_stop")
]

const toMessagesBlock = (saying: Saying): Json => {
  if ("text" in saying) return { type: "text", text: saying.text.join("") }
  if ("thought" in saying) {
    return { type: "thinking", thinking: saying.thought, signature: saying.signature ?? "" }
  }
  const { arguments: pieces, id, name } = saying.call
  return { type: "tool_use", id, name, input: toInput(pieces) }
}

const toMessagesEvents = (saying: Saying, index: number): ReadonlyArray<NativeEvent> => {
  if ("text" in saying) {
    const deltas = saying.text.map((text) => ({ type: "text_delta", text }))
    return messagesBlock(index, { type: "text", text: "", citations: null }, deltas)
  }
  if ("thought" in saying) {
    return messagesBlock(index, { type: "thinking", thinking: "", signature: "" }, [
      { type: "thinking_delta", thinking: saying.thought },
      ...(saying.signature === undefined
        ? []
        : [{ type: "signature_delta", signature: saying.signature }])
    ])
  }
  const { arguments: pieces, id, name } = saying.call
  const deltas = pieces.map((partial_json) => ({ type: "input_json_delta", partial_json }))
  return messagesBlock(index, { type: "tool_use", id, name, input: {} }, deltas)
}

export const writeMessages = (answer: SpokenAnswer): NativeAnswer => {
  const usage = getUsage(answer)
  const stop_reason = messagesStops[findEnd(answer)]
  const isCut = listCalls(answer).some((call) => toInput(call.arguments) === undefined)
  const whole = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model,
    content: answer.said.map(toMessagesBlock),
    stop_reason,
    stop_sequence: null,
    ...(usage === null ? undefined : { usage: toMessagesUsage(usage) })
  }
  return {
    ...(isCut ? undefined : { whole }),
    events: [
      messagesStart(usage === null ? {} : undefined),
      ...answer.said.flatMap(toMessagesEvents),
      ...messagesEnd(stop_reason, usage)
    ]
  }
}
