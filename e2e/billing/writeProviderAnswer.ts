/** Writes the answer of a provider that reports its usage as a row says, whole and streamed. */
import type { UsageRow } from "./providerUsage.ts"

type Json = Readonly<Record<string, unknown>>

interface ProviderAnswer {
  readonly whole: Json
  readonly events: ReadonlyArray<{ readonly event?: string; readonly data: unknown }>
}

export const writeProviderAnswer = (row: UsageRow): ProviderAnswer => {
  switch (row.dialect) {
    case "chat":
      return writeChat(row)
    case "messages":
      return writeMessages(row)
    case "responses":
      return writeResponses(row)
    case "gemini":
      return writeGemini(row)
  }
}

const said = "Hello."

const writeChat = ({ beside, streamedIn, usage }: UsageRow): ProviderAnswer => {
  const base = { id: "chatcmpl-1", created: 1, model: "acme-served" }
  const chunk = (choices: ReadonlyArray<Json>, more: Json = {}) => ({
    data: { ...base, object: "chat.completion.chunk", choices, ...more }
  })
  const counted = usage === undefined ? {} : { usage }
  const always = streamedIn === "every chunk" ? counted : {}
  const first = { index: 0, delta: { role: "assistant", content: said }, finish_reason: null }
  const last = { index: 0, delta: {}, finish_reason: "stop" }
  return {
    whole: {
      ...base,
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: said }, finish_reason: "stop" }],
      ...counted,
      ...beside
    },
    events: [
      chunk([first], always),
      ...(streamedIn === "choice"
        ? [chunk([{ ...last, ...counted }], beside)]
        : streamedIn === "x_groq"
          ? [chunk([last], { ...beside, x_groq: { id: "req_1", ...counted } })]
          : streamedIn === "every chunk"
            ? [chunk([last], { ...beside, ...always })]
            : [chunk([last]), chunk([], { ...beside, ...counted })]),
      { data: "[DONE]" }
    ]
  }
}

const send = (data: Json & { readonly type: string }) => ({ event: data.type, data })

const writeMessages = ({ usage = {} }: UsageRow): ProviderAnswer => {
  const message = { id: "msg_1", type: "message", role: "assistant", model: "claude-served" }
  const { iterations, output_tokens, server_tool_use, ...started } = usage
  return {
    whole: {
      ...message,
      content: [{ type: "text", text: said }],
      stop_reason: "end_turn",
      stop_sequence: null,
      usage
    },
    events: [
      send({
        type: "message_start",
        message: {
          ...message,
          content: [],
          stop_reason: null,
          stop_sequence: null,
          usage: { ...started, output_tokens: 1 }
        }
      }),
      send({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }),
      send({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: said } }),
      send({ type: "content_block_stop", index: 0 }),
      send({
        type: "message_delta",
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: {
          output_tokens,
          ...(iterations === undefined ? undefined : { iterations }),
          ...(server_tool_use === undefined ? undefined : { server_tool_use })
        }
      }),
      send({ type: "message_stop" })
    ]
  }
}

const writeResponses = ({ beside, usage }: UsageRow): ProviderAnswer => {
  const part = { type: "output_text", text: said, annotations: [], logprobs: [] }
  const item = { id: "msg_1", type: "message", role: "assistant", status: "completed" }
  const base = { id: "resp_1", object: "response", created_at: 1, model: "gpt-served" }
  const whole = {
    ...base,
    status: "completed",
    output: [{ ...item, content: [part] }],
    usage,
    ...beside
  }
  let sequence_number = 0
  const number = (data: Json & { readonly type: string }) =>
    send({ ...data, sequence_number: sequence_number++ })
  const at = { item_id: "msg_1", output_index: 0 }
  return {
    whole,
    events: [
      number({
        type: "response.created",
        response: { ...base, status: "in_progress", output: [], usage: null }
      }),
      number({
        type: "response.output_item.added",
        output_index: 0,
        item: { ...item, status: "in_progress", content: [] }
      }),
      number({
        type: "response.content_part.added",
        ...at,
        content_index: 0,
        part: { ...part, text: "" }
      }),
      number({ type: "response.output_text.delta", ...at, content_index: 0, delta: said }),
      number({ type: "response.output_text.done", ...at, content_index: 0, text: said }),
      number({ type: "response.content_part.done", ...at, content_index: 0, part }),
      number({
        type: "response.output_item.done",
        output_index: 0,
        item: { ...item, content: [part] }
      }),
      number({ type: "response.completed", response: whole })
    ]
  }
}

const writeGemini = ({ beside, candidate, usage }: UsageRow): ProviderAnswer => {
  const content = { role: "model", parts: [{ text: said }] }
  const base = { responseId: "gemini-1", modelVersion: "gemini-3-flash", ...beside }
  const end = { index: 0, finishReason: "STOP", ...candidate }
  return {
    whole: { ...base, candidates: [{ content, ...end }], usageMetadata: usage },
    events: [
      { data: { ...base, candidates: [{ index: 0, content }] } },
      { data: { ...base, candidates: [end], usageMetadata: usage } }
    ]
  }
}
