/** Asks for a chat with the official client, whole or streamed, and says what came back in one form. */
import { APIError } from "openai"
import type OpenAI from "openai"
import { getProperty, isObject } from "../support/getProperty.ts"
import type { Json } from "./NativeAnswer.ts"

/** What the caller got. */
export interface ChatSummary {
  readonly id: string | undefined
  readonly content: string
  readonly calls: ReadonlyArray<Json>
  readonly reasoning: string
  readonly details: ReadonlyArray<Json>
  readonly finish: string | null
  readonly nativeFinish: unknown
  readonly usage: unknown
  /** The status of a response, or the code in an error event. */
  readonly error?: { readonly code: unknown; readonly message: string }
  /** The number of chunks with something to say; of a stream. */
  readonly pieces: number
}

interface Call {
  id: string
  name: string
  arguments: string
}

/** Puts the deltas together as the rules of the chat dialect say: a new id at an index is a new call. */
class Collected {
  id: string | undefined
  content = ""
  reasoning = ""
  finish: string | null = null
  nativeFinish: unknown
  usage: unknown
  pieces = 0
  readonly #calls: Array<Call> = []
  readonly #byIndex = new Map<unknown, Call>()
  readonly #details: Array<Record<string, unknown>> = []

  add(chunk: unknown): void {
    const id = getProperty(chunk, "id")
    if (typeof id === "string") this.id = id
    this.usage = getProperty(chunk, "usage") ?? this.usage
    const choices = getProperty(chunk, "choices")
    for (const choice of Array.isArray(choices) ? choices : []) this.#addChoice(choice)
  }

  #addChoice(choice: unknown): void {
    const said = getProperty(choice, "delta") ?? getProperty(choice, "message")
    const content = getProperty(said, "content")
    const reasoning = getProperty(said, "reasoning")
    const calls = getProperty(said, "tool_calls")
    const details = getProperty(said, "reasoning_details")
    if (typeof content === "string") this.content += content
    if (typeof reasoning === "string") this.reasoning += reasoning
    if (Array.isArray(calls)) calls.forEach((call, at) => this.#addCall(call, at))
    if (Array.isArray(details))
      details.filter(isObject).forEach((detail) => this.#addDetail(detail))
    if (content !== undefined && content !== "" && content !== null) this.pieces++
    const finish = getProperty(choice, "finish_reason")
    if (typeof finish === "string") this.finish = finish
    this.nativeFinish = getProperty(choice, "native_finish_reason") ?? this.nativeFinish
  }

  #addCall(piece: unknown, at: number): void {
    const index = getProperty(piece, "index") ?? at
    const id = getProperty(piece, "id")
    const called = getProperty(piece, "function")
    const name = getProperty(called, "name")
    const given = getProperty(called, "arguments")
    let call = this.#byIndex.get(index)
    if (call === undefined || (typeof id === "string" && id !== call.id)) {
      call = { id: String(id), name: "", arguments: "" }
      this.#calls.push(call)
      this.#byIndex.set(index, call)
    }
    if (typeof name === "string") call.name = name
    if (typeof given === "string") call.arguments += given
  }

  #addDetail(detail: Json): void {
    const { index } = detail
    const open = this.#details.find((each) => index !== undefined && each["index"] === index)
    if (open === undefined) {
      this.#details.push({ ...detail })
      return
    }
    const { signature } = detail
    if (typeof signature === "string") open["signature"] = signature
    for (const name of ["text", "summary", "data"]) {
      const [said, more] = [open[name] ?? "", detail[name]]
      if (typeof said === "string" && typeof more === "string") open[name] = said + more
    }
  }

  summarize(error?: ChatSummary["error"]): ChatSummary {
    const { content, finish, id, nativeFinish, pieces, reasoning, usage } = this
    return {
      id,
      content,
      calls: this.#calls.map((call) => ({ ...call })),
      reasoning,
      details: this.#details,
      finish,
      nativeFinish,
      usage,
      pieces,
      ...(error === undefined ? undefined : { error })
    }
  }
}

export const askChat = async (
  client: OpenAI,
  request: Json,
  isStreamed: boolean
): Promise<ChatSummary> => {
  const collected = new Collected()
  // The table of requests also has fields that the client does not know.
  const body = request as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming
  try {
    if (isStreamed) {
      const stream = await client.chat.completions.create({
        ...body,
        stream: true,
        stream_options: { include_usage: true }
      })
      for await (const chunk of stream) collected.add(chunk)
    } else {
      collected.add(await client.chat.completions.create({ ...body, stream: false }))
    }
    return collected.summarize()
  } catch (error) {
    if (!(error instanceof APIError)) throw error
    const code = error.status ?? getProperty(error.error, "code")
    return collected.summarize({ code, message: error.message })
  }
}

/** Asks for a stream, and leaves it after the first text. Returns the id of the answer. */
export const leaveChat = async (client: OpenAI, request: Json): Promise<string> => {
  const body = request as unknown as OpenAI.ChatCompletionCreateParamsNonStreaming
  for await (const { choices, id } of await client.chat.completions.create({
    ...body,
    stream: true
  })) {
    // Leaving the loop aborts the request.
    if (choices[0]?.delta.content) return id
  }
  throw new Error("the stream ended without a text")
}
