/** Asks by the Messages API with the official client, and says what came back as the summary of a chat. */
import { APIError } from "@anthropic-ai/sdk"
import type Anthropic from "@anthropic-ai/sdk"
import { getProperty } from "../support/getProperty.ts"
import type { ChatSummary } from "./askChat.ts"
import type { Json } from "./NativeAnswer.ts"

/** The chat's finish reasons by the API's stop reasons. */
const finishReasons: Readonly<Record<string, string>> = {
  end_turn: "stop",
  max_tokens: "length",
  refusal: "content_filter",
  stop_sequence: "stop",
  tool_use: "tool_calls"
}

/** The statuses by the types of errors: an error in a stream has no status. */
const statuses: Readonly<Record<string, number>> = {
  api_error: 502,
  overloaded_error: 529,
  timeout_error: 504
}

export const askMessages = async (
  client: Anthropic,
  request: Json,
  isStreamed: boolean
): Promise<ChatSummary> => {
  // The tables also have what the types of the client do not know.
  const body = { max_tokens: 4_096, ...request } as Anthropic.MessageCreateParamsNonStreaming
  if (!isStreamed) {
    try {
      return summarize(await client.messages.create(body), new Map(), 1)
    } catch (error) {
      return toFailure(error, undefined, new Map(), 0)
    }
  }
  const stream = client.messages.stream(body)
  const inputs = new Map<number, string>()
  let pieces = 0
  stream.on("streamEvent", (event) => {
    if (event.type !== "content_block_delta") return
    const { delta, index } = event
    if (delta.type === "text_delta") pieces++
    if (delta.type === "input_json_delta") {
      inputs.set(index, (inputs.get(index) ?? "") + delta.partial_json)
    }
  })
  try {
    return summarize(await stream.finalMessage(), inputs, pieces)
  } catch (error) {
    return toFailure(error, stream.currentMessage, inputs, pieces)
  }
}

const toFailure = (
  error: unknown,
  message: Anthropic.Message | undefined,
  inputs: ReadonlyMap<number, string>,
  pieces: number
): ChatSummary => {
  if (!(error instanceof APIError)) throw error
  const told = getProperty(error.error, "error")
  const type = getProperty(told, "type")
  return {
    ...summarize(message, inputs, pieces),
    error: {
      code: error.status ?? statuses[String(type)],
      message: String(getProperty(told, "message"))
    }
  }
}

const summarize = (
  message: Anthropic.Message | undefined,
  inputs: ReadonlyMap<number, string>,
  pieces: number
): ChatSummary => {
  const content = message?.content ?? []
  return {
    id: message?.id,
    content: content.map((block) => (block.type === "text" ? block.text : "")).join(""),
    calls: content.flatMap((block, at) =>
      block.type === "tool_use"
        ? [
            {
              id: block.id,
              name: block.name,
              arguments: inputs.get(at) ?? JSON.stringify(block.input)
            }
          ]
        : []
    ),
    reasoning: content.map((block) => (block.type === "thinking" ? block.thinking : "")).join(""),
    details: [],
    finish: finishReasons[message?.stop_reason ?? ""] ?? null,
    nativeFinish: undefined,
    usage: message === undefined ? undefined : toChatUsage(message.usage),
    pieces
  }
}

const toChatUsage = (usage: Anthropic.Usage): Json => {
  const cached = usage.cache_read_input_tokens ?? 0
  const prompt = usage.input_tokens + cached + (usage.cache_creation_input_tokens ?? 0)
  return {
    prompt_tokens: prompt,
    completion_tokens: usage.output_tokens,
    total_tokens: prompt + usage.output_tokens,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: {
      reasoning_tokens: getProperty(getProperty(usage, "output_tokens_details"), "thinking_tokens")
    }
  }
}

/** Asks for a stream, and leaves it after the first text. Returns the id of the answer. */
export const leaveMessages = async (client: Anthropic, request: Json): Promise<string> => {
  const body = { max_tokens: 4_096, ...request } as Anthropic.MessageCreateParamsNonStreaming
  let id = ""
  for await (const event of await client.messages.create({ ...body, stream: true })) {
    if (event.type === "message_start") id = event.message.id
    // Leaving the loop aborts the request.
    if (event.type === "content_block_delta" && event.delta.type === "text_delta") return id
  }
  throw new Error("the stream ended without a text")
}
