/**
 * A terminal coding agent that speaks the Messages API. It sends what such an agent sends, reads streams strictly by the
 * names of their events, and asks again without a stream when one breaks.
 */
import { getProperty, isObject } from "../../support/getProperty.ts"
import { type AgentFolder, agentTools } from "./AgentFolder.ts"

type Json = Readonly<Record<string, unknown>>

export interface MessagesAgentOptions {
  /** The base address that its user configures: the mount and `/api`. */
  readonly base: string
  /** A key is sent as `x-api-key`, a token as `authorization`, what a helper program prints as both. */
  readonly credential: { readonly kind: "helper" | "key" | "token"; readonly value: string }
  readonly model: string
  readonly folder: AgentFolder
}

/** Every call names the beta features that it uses. */
export const agentBetas = [
  "interleaved-thinking-2025-05-14",
  "fine-grained-tool-streaming-2025-05-14",
  "context-management-2025-06-27",
  "effort-2025-11-24",
  "advanced-tool-use-2025-11-20",
  "mid-conversation-system-2026-04-14",
  "not-yet-known-2027-01-01"
].join(",")

const mark = { cache_control: { type: "ephemeral" } }

/** Instructions in the middle of a conversation, which is the second message. */
const laterInstructions = "The user runs Linux."

export class MessagesAgent {
  /** How often it had to ask without a stream. */
  unstreamed = 0
  readonly #options: MessagesAgentOptions

  constructor(options: MessagesAgentOptions) {
    this.#options = options
  }

  /** Whether its address answers at all; any status will do. */
  async greet(): Promise<number> {
    const { base } = this.#options
    return (await fetch(`${base}/api/hello`, { method: "HEAD" })).status
  }

  /** The models that its menu offers. */
  async listModels(): Promise<ReadonlyArray<{ readonly id: string; readonly name: string }>> {
    const response = await this.#fetch("/v1/models?limit=1000", undefined)
    const { data } = (await response.json()) as { data: ReadonlyArray<unknown> }
    return data
      .map((each) => ({
        id: String(getProperty(each, "id")),
        name: String(getProperty(each, "display_name"))
      }))
      .filter(({ id }) => /claude|anthropic/.test(id))
  }

  async countTokens(task: string): Promise<number> {
    const { max_tokens: _, stream: __, ...body } = this.#makeBody([toUserMessage(task)], 32_000)
    const response = await this.#fetch("/v1/messages/count_tokens?beta=true", body)
    if (!response.ok) throw await toError(response)
    return Number(getProperty(await response.json(), "input_tokens"))
  }

  /** Works until the model calls no more tools, and resolves to its last text. */
  async run(task: string): Promise<string> {
    const messages: Array<Json> = [
      toUserMessage(task),
      { role: "system", content: [{ type: "text", text: laterInstructions }] }
    ]
    for (;;) {
      const content = await this.#ask(messages)
      // It looks at the blocks, not at the reason why the model stopped.
      const calls = content.filter(({ type }) => type === "tool_use")
      if (calls.length === 0) return toText(content)
      messages.push({ role: "assistant", content: content.map(toReturnedBlock) })
      const results = calls.map(({ id, input, name }) => ({
        type: "tool_result",
        tool_use_id: id,
        content: this.#options.folder.run(String(name), input)
      }))
      // Tools that end earlier come first.
      messages.push({
        role: "user",
        content: results
          .toReversed()
          .map((result, at) => (at === results.length - 1 ? { ...result, ...mark } : result))
      })
    }
  }

  /** An answer that the cap cut off is asked for again with a larger one. */
  async #ask(messages: ReadonlyArray<Json>): Promise<ReadonlyArray<Json>> {
    for (const cap of [32_000, 64_000, 128_000]) {
      const body = this.#makeBody(messages, cap)
      const answer = await this.#askOnce(body)
      if (answer.stopReason === "refusal") throw new Error("the model refuses")
      if (answer.stopReason !== "max_tokens") return answer.content
    }
    throw new Error("the answer does not fit the largest cap")
  }

  async #askOnce(body: Json): Promise<Answer> {
    const response = await this.#fetch("/v1/messages?beta=true", { ...body, stream: true })
    if (!response.ok) throw await toError(response)
    try {
      return await readStream(response)
    } catch {
      this.unstreamed++
      const whole = await this.#fetch("/v1/messages?beta=true", { ...body, stream: false })
      if (!whole.ok) throw await toError(whole)
      const message: unknown = await whole.json()
      return {
        content: toBlocks(getProperty(message, "content")),
        stopReason: getProperty(message, "stop_reason")
      }
    }
  }

  #makeBody(messages: ReadonlyArray<Json>, cap: number): Json {
    return {
      model: this.#options.model,
      max_tokens: cap,
      thinking: { type: "adaptive" },
      output_config: { effort: "high" },
      context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
      metadata: { user_id: JSON.stringify({ device_id: "d0c5", session_id: "5e55-10n" }) },
      system: [
        { type: "text", text: "x-agent: version=2.1" },
        { type: "text", text: "You are an agent in a terminal.", ...mark }
      ],
      messages: messages.map((message, at) =>
        at < messages.length - 2 ? withoutMarks(message) : message
      ),
      tools: agentTools.map(({ description, name, schema }) => ({
        name,
        description,
        input_schema: schema
      })),
      stream: true
    }
  }

  #fetch(path: string, body: Json | undefined): Promise<Response> {
    const { base, credential } = this.#options
    const { kind, value } = credential
    return fetch(`${base}${path}`, {
      method: body === undefined ? "GET" : "POST",
      redirect: "error",
      headers: {
        accept: "application/json",
        "anthropic-version": "2023-06-01",
        "anthropic-beta": agentBetas,
        "anthropic-dangerous-direct-browser-access": "true",
        "user-agent": "agent-cli/2.1.330 (external, cli)",
        "x-app": "cli",
        "x-stainless-lang": "js",
        "x-stainless-retry-count": "0",
        "x-agent-session-id": "5e55-10n",
        ...(kind === "token" ? undefined : { "x-api-key": value }),
        ...(kind === "key" ? undefined : { authorization: `Bearer ${value}` }),
        ...(body === undefined ? undefined : { "content-type": "application/json" })
      },
      ...(body === undefined ? undefined : { body: JSON.stringify(body) })
    })
  }
}

interface Answer {
  readonly content: ReadonlyArray<Json>
  readonly stopReason: unknown
}

const toUserMessage = (task: string): Json => ({
  role: "user",
  content: [
    { type: "text", text: "<reminder>Today is Monday.</reminder>" },
    { type: "text", text: task, ...mark }
  ]
})

/** The API takes four marks, so marks of earlier turns are removed. */
const withoutMarks = (message: Json): Json => ({
  ...message,
  // JSON leaves it out.
  content: toBlocks(message["content"]).map((block) => ({ ...block, cache_control: undefined }))
})

/** Calls come back with more than the API said. */
const toReturnedBlock = (block: Json, at: number, { length }: ReadonlyArray<Json>): Json =>
  block["type"] === "tool_use"
    ? { ...block, caller: { type: "direct" }, ...(at === length - 1 ? mark : undefined) }
    : block

const toText = (content: ReadonlyArray<Json>): string =>
  content.map(({ text }) => (typeof text === "string" ? text : "")).join("")

const toBlocks = (content: unknown): ReadonlyArray<Json> =>
  Array.isArray(content) ? content.filter(isObject) : []

const toError = async (response: Response): Promise<Error> => {
  const error = getProperty(await response.json(), "error")
  const [type, message] = [getProperty(error, "type"), getProperty(error, "message")]
  return new Error(`${response.status} ${String(type)}: ${String(message)}`)
}

/** Only events with a name count, in the order that the API promises. */
const readStream = async (response: Response): Promise<Answer> => {
  const content: Array<Record<string, unknown>> = []
  let stopReason: unknown
  let hasEnded = false
  let input = ""
  for (const block of (await response.text()).split("\n\n")) {
    const [, name, line] = /^event: (\S+)\ndata: (.*)$/m.exec(block) ?? []
    if (name === undefined || line === undefined) continue
    const data: unknown = JSON.parse(line)
    const index = Number(getProperty(data, "index"))
    switch (name) {
      case "content_block_start": {
        const started = getProperty(data, "content_block")
        if (index !== content.length || !isObject(started)) throw new Error("a block is missing")
        content.push({ ...started })
        input = ""
        break
      }
      case "content_block_delta": {
        const delta = getProperty(data, "delta")
        const open = content[index]!
        for (const key of ["text", "thinking", "signature"]) {
          const piece = getProperty(delta, key)
          if (typeof piece === "string") open[key] = String(open[key]) + piece
        }
        const json = getProperty(delta, "partial_json")
        if (typeof json === "string") input += json
        break
      }
      case "content_block_stop":
        if (content[index]?.["type"] === "tool_use" && input !== "") {
          content[index]["input"] = JSON.parse(input)
        }
        break
      case "message_delta":
        stopReason = getProperty(getProperty(data, "delta"), "stop_reason")
        hasEnded = true
        break
      case "error":
        throw new Error(String(getProperty(getProperty(data, "error"), "message")))
      default:
    }
  }
  if (!hasEnded) throw new Error("the stream has no end")
  return { content, stopReason }
}
