/** Answers in OpenAI's Responses API, and the events that they are made of. */
import {
  findEnd,
  getUsage,
  type Json,
  model,
  type NativeAnswer,
  type NativeEvent,
  type NativeUsage,
  nativeUsage,
  type Saying,
  type SpokenAnswer
} from "./NativeAnswer.ts"

const toResponsesUsage = (usage: NativeUsage): Json => ({
  input_tokens: usage.prompt,
  input_tokens_details: { cached_tokens: usage.cached, cache_write_tokens: usage.cacheWritten },
  output_tokens: usage.completion,
  output_tokens_details: { reasoning_tokens: usage.reasoning },
  total_tokens: usage.prompt + usage.completion
})

const responsesEnds = {
  stop: ["completed", null],
  tool_calls: ["completed", null],
  length: ["incomplete", { reason: "max_output_tokens" }],
  content_filter: ["incomplete", { reason: "content_filter" }]
} as const

export const responsesEvent = (type: string, rest: Json = {}): NativeEvent => ({
  event: `response.${type}`,
  data: { type: `response.${type}`, ...rest }
})

export const responsesBody = (
  output: ReadonlyArray<Json>,
  end: NonNullable<SpokenAnswer["end"]> | "in_progress" = "stop",
  usage: NativeUsage | null = nativeUsage
): Json => {
  const [status, incomplete_details] =
    end === "in_progress" ? ([end, null] as const) : responsesEnds[end]
  return {
    id: "resp_1",
    object: "response",
    created_at: 1_700_000_000,
    model,
    status,
    incomplete_details,
    error: null,
    output,
    ...(usage === null || end === "in_progress" ? undefined : { usage: toResponsesUsage(usage) })
  }
}

export const responsesCreated = responsesEvent("created", {
  response: responsesBody([], "in_progress")
})

export const responsesEnd = (
  output: ReadonlyArray<Json>,
  end: NonNullable<SpokenAnswer["end"]> = "stop",
  usage: NativeUsage | null = nativeUsage
): NativeEvent => {
  const response = responsesBody(output, end, usage)
  return responsesEvent(String(response["status"]), { response })
}

const toResponsesItem = (saying: Saying, at: number): Json => {
  if ("text" in saying) {
    const text = saying.text.join("")
    const content = [{ type: "output_text", text, annotations: [] }]
    return { type: "message", id: `msg_${at}`, role: "assistant", status: "completed", content }
  }
  if ("thought" in saying) {
    return {
      type: "reasoning",
      id: `rs_${at}`,
      summary: [{ type: "summary_text", text: saying.thought }],
      ...(saying.signature === undefined ? undefined : { encrypted_content: saying.signature })
    }
  }
  const { arguments: pieces, id, name } = saying.call
  return {
    type: "function_call",
    id: `fc_${at}`,
    call_id: id,
    name,
    arguments: pieces.join(""),
    status: "completed"
  }
}

/** Each item is repeated as a whole when it is done, as the provider does. */
const toResponsesEvents = (saying: Saying, at: number): ReadonlyArray<NativeEvent> => {
  const item = toResponsesItem(saying, at)
  const place = { output_index: at, item_id: item["id"] }
  const around = (empty: Json, events: ReadonlyArray<NativeEvent>) => [
    responsesEvent("output_item.added", { output_index: at, item: { ...item, ...empty } }),
    ...events,
    responsesEvent("output_item.done", { output_index: at, item })
  ]
  if ("text" in saying) {
    const inItem = { ...place, content_index: 0 }
    return around({ content: [] }, [
      responsesEvent("content_part.added", {
        ...inItem,
        part: { type: "output_text", text: "", annotations: [] }
      }),
      ...saying.text.map((delta) => responsesEvent("output_text.delta", { ...inItem, delta })),
      responsesEvent("output_text.done", { ...inItem, text: saying.text.join("") }),
      responsesEvent("content_part.done", {
        ...inItem,
        part: { type: "output_text", text: saying.text.join(""), annotations: [] }
      })
    ])
  }
  if ("thought" in saying) {
    const inItem = { ...place, summary_index: 0 }
    const part = { type: "summary_text", text: saying.thought }
    return around({ summary: [] }, [
      responsesEvent("reasoning_summary_part.added", { ...inItem, part: { ...part, text: "" } }),
      responsesEvent("reasoning_summary_text.delta", { ...inItem, delta: saying.thought }),
      responsesEvent("reasoning_summary_text.done", { ...inItem, text: saying.thought }),
      responsesEvent("reasoning_summary_part.done", { ...inItem, part })
    ])
  }
  const { arguments: pieces } = saying.call
  return around({ arguments: "", status: "in_progress" }, [
    ...pieces.map((delta) => responsesEvent("function_call_arguments.delta", { ...place, delta })),
    responsesEvent("function_call_arguments.done", { ...place, arguments: pieces.join("") })
  ])
}

export const writeResponses = (answer: SpokenAnswer): NativeAnswer => {
  const usage = getUsage(answer)
  const output = answer.said.map(toResponsesItem)
  return {
    whole: responsesBody(output, findEnd(answer), usage),
    events: [
      responsesCreated,
      ...answer.said.flatMap(toResponsesEvents),
      responsesEnd(output, findEnd(answer), usage)
    ]
  }
}
