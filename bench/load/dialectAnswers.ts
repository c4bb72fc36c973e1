/** The answers of upstreams in other chat dialects, as text, with the same content as in the chat dialect. */

const text = "A lighthouse keeps ships from the rocks. ".repeat(8)
const toData = (json: object): string => `data: ${JSON.stringify(json)}\n\n`
const toNamed = (type: string, fields: object = {}): string =>
  `event: ${type}\n${toData({ type, ...fields })}`

/** The streamed answer of an upstream: what comes first, one token, and what comes last. */
export interface StreamedAnswer {
  readonly first: string
  readonly token: string
  readonly last: string
}

interface DialectAnswers {
  readonly whole: string
  readonly streamed: StreamedAnswer
}

const messages: DialectAnswers = {
  whole: JSON.stringify({
    id: "msg_bench",
    type: "message",
    role: "assistant",
    model: "claude-bench",
    content: [{ type: "text", text }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 20, output_tokens: 80 }
  }),
  streamed: {
    first:
      toNamed("message_start", {
        message: {
          id: "msg_bench",
          type: "message",
          role: "assistant",
          model: "claude-bench",
          content: [],
          stop_reason: null,
          usage: { input_tokens: 20, output_tokens: 1 }
        }
      }) + toNamed("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    token: toNamed("content_block_delta", {
      index: 0,
      delta: { type: "text_delta", text: " lighthouse" }
    }),
    last:
      toNamed("content_block_stop", { index: 0 }) +
      toNamed("message_delta", {
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: { output_tokens: 200 }
      }) +
      toNamed("message_stop")
  }
}

const gemini: DialectAnswers = {
  whole: JSON.stringify({
    candidates: [{ content: { role: "model", parts: [{ text }] }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 80, totalTokenCount: 100 },
    modelVersion: "gemini-bench",
    responseId: "bench"
  }),
  streamed: {
    first: "",
    token: toData({
      candidates: [{ content: { role: "model", parts: [{ text: " lighthouse" }] }, index: 0 }],
      usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 1, totalTokenCount: 21 },
      modelVersion: "gemini-bench",
      responseId: "bench"
    }),
    last: toData({
      candidates: [
        { content: { role: "model", parts: [{ text: "." }] }, finishReason: "STOP", index: 0 }
      ],
      usageMetadata: { promptTokenCount: 20, candidatesTokenCount: 200, totalTokenCount: 220 },
      modelVersion: "gemini-bench",
      responseId: "bench"
    })
  }
}

const responseHead = { id: "resp_bench", object: "response", model: "gpt-bench" }
const usage = { input_tokens: 20, output_tokens: 80, total_tokens: 100 }
const toMessage = (status: string, said: string) => ({
  type: "message",
  id: "msg_bench",
  role: "assistant",
  status,
  content: [{ type: "output_text", text: said, annotations: [] }]
})
const inMessage = { item_id: "msg_bench", output_index: 0, content_index: 0 }

const responses: DialectAnswers = {
  whole: JSON.stringify({
    ...responseHead,
    status: "completed",
    output: [toMessage("completed", text)],
    usage
  }),
  streamed: {
    first:
      toNamed("response.created", { response: { ...responseHead, status: "in_progress" } }) +
      toNamed("response.output_item.added", {
        output_index: 0,
        item: { ...toMessage("in_progress", ""), content: [] }
      }),
    token: toNamed("response.output_text.delta", {
      ...inMessage,
      sequence_number: 4,
      delta: " lighthouse"
    }),
    last:
      toNamed("response.output_text.done", { ...inMessage, text: " lighthouse".repeat(100) }) +
      toNamed("response.completed", {
        response: {
          ...responseHead,
          status: "completed",
          output: [toMessage("completed", " lighthouse".repeat(100))],
          usage
        }
      })
  }
}

export const dialectAnswers = { messages, gemini, responses }
