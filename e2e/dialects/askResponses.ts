/** Asks by the Responses API with the official client, and says what came back as the summary of a chat. */
import { APIError } from "openai"
import type OpenAI from "openai"
import { getProperty } from "../support/getProperty.ts"
import type { ChatSummary } from "./askChat.ts"
import type { Json } from "./NativeAnswer.ts"

type Response = OpenAI.Responses.Response

/** The statuses by the types of errors: an error in a stream has no status. */
const statuses: Readonly<Record<string, number>> = {
  provider_overloaded: 529,
  provider_unavailable: 502,
  timeout: 504
}

export const askResponses = async (
  client: OpenAI,
  request: Json,
  isStreamed: boolean
): Promise<ChatSummary> => {
  // The tables also have what the types of the client do not know.
  const body = request as OpenAI.Responses.ResponseCreateParamsNonStreaming
  let id: string | undefined
  let content = ""
  let pieces = 0
  try {
    if (!isStreamed) return summarize(await client.responses.create({ ...body, stream: false }), 1)
    const stream = client.responses.stream({ ...body, stream: true })
    stream.on("response.created", ({ response }) => (id = toGenerationId(response.id)))
    stream.on("response.output_text.delta", ({ delta }) => {
      content += delta
      pieces++
    })
    return summarize(await stream.finalResponse(), pieces)
  } catch (error) {
    if (!(error instanceof APIError)) throw error
    const code = error.status ?? statuses[String(getProperty(error.error, "error_type"))]
    return {
      ...summarize(undefined, pieces),
      id,
      content,
      error: { code, message: error.message }
    }
  }
}

const toGenerationId = (id: string): string => id.replace(/^resp_/, "gen-")

const summarize = (response: Response | undefined, pieces: number): ChatSummary => {
  const output = response?.output ?? []
  const calls = output.flatMap((item) =>
    item.type === "function_call"
      ? [{ id: item.call_id, name: item.name, arguments: item.arguments }]
      : []
  )
  return {
    id: response === undefined ? undefined : toGenerationId(response.id),
    content: output
      .flatMap((item) => (item.type === "message" ? item.content : []))
      .map((part) => (part.type === "output_text" ? part.text : part.refusal))
      .join(""),
    calls,
    reasoning: output
      .flatMap((item) => (item.type === "reasoning" ? item.summary : []))
      .map(({ text }) => text)
      .join(""),
    details: [],
    finish: findFinish(response, calls.length > 0),
    nativeFinish: undefined,
    usage: toChatUsage(response?.usage),
    pieces
  }
}

const findFinish = (response: Response | undefined, hasCalls: boolean): string | null => {
  if (response?.status === "completed") return hasCalls ? "tool_calls" : "stop"
  const reason = response?.incomplete_details?.reason
  return reason === "max_output_tokens" ? "length" : (reason ?? null)
}

const toChatUsage = (usage: Response["usage"]): Json | undefined =>
  usage == null
    ? undefined
    : {
        prompt_tokens: usage.input_tokens,
        completion_tokens: usage.output_tokens,
        total_tokens: usage.total_tokens,
        prompt_tokens_details: { cached_tokens: usage.input_tokens_details.cached_tokens },
        completion_tokens_details: {
          reasoning_tokens: usage.output_tokens_details.reasoning_tokens
        }
      }

/** Asks for a stream, and leaves it after the first text. Returns the id of the answer. */
export const leaveResponses = async (client: OpenAI, request: Json): Promise<string> => {
  const body = request as OpenAI.Responses.ResponseCreateParamsNonStreaming
  let id = ""
  for await (const event of await client.responses.create({ ...body, stream: true })) {
    if (event.type === "response.created") id = event.response.id
    // Leaving the loop aborts the request.
    if (event.type === "response.output_text.delta") return toGenerationId(id)
  }
  throw new Error("the stream ended without a text")
}
