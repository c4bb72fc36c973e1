/**
 * A terminal coding agent that speaks the Responses API. It sends what such an agent sends, reads only finished items and
 * the end of a stream, and asks again when a stream breaks.
 */
import { getProperty, isObject } from "../../support/getProperty.ts"
import { type AgentFolder, agentTools } from "./AgentFolder.ts"

type Json = Readonly<Record<string, unknown>>

export interface ResponsesAgentOptions {
  /** The base address that its user configures: the mount and `/api/v1`. */
  readonly base: string
  readonly apiKey: string
  readonly model: string
  readonly folder: AgentFolder
}

/** Its tools belong to this namespace, and it runs no call of another one. */
export const agentNamespace = "workspace"

const session = "0199a1b2-5e55-7c3d-8e9f-a1b2c3d4e5f6"
const maxAttempts = 6

export class ResponsesAgent {
  /** How many requests it has sent. */
  requests = 0
  readonly #options: ResponsesAgentOptions

  constructor(options: ResponsesAgentOptions) {
    this.#options = options
  }

  /** Works until the model calls no more tools, and resolves to its last text. */
  async run(task: string): Promise<string> {
    const input: Array<Json> = [
      toMessage("developer", "You are an agent in a terminal."),
      toMessage("developer", "The user runs Linux."),
      toMessage("user", task)
    ]
    for (;;) {
      const items = await this.#ask(input)
      const calls = items.filter(
        ({ type }) => type === "function_call" || type === "custom_tool_call"
      )
      if (calls.length === 0) return toText(items)
      // The item states that it has no reasoning text.
      for (const item of items) {
        input.push(item["type"] === "reasoning" ? { ...item, content: null } : item)
      }
      for (const call of calls) input.push(this.#run(call))
    }
  }

  #run(call: Json): Json {
    const { call_id, name, namespace, type } = call
    const isCustom = type === "custom_tool_call"
    const input: unknown = isCustom
      ? toEdit(String(call["input"]))
      : JSON.parse(String(call["arguments"]))
    if (!isCustom && namespace !== agentNamespace) {
      throw new Error(`unsupported call: ${String(namespace)} ${String(name)}`)
    }
    return {
      type: isCustom ? "custom_tool_call_output" : "function_call_output",
      // Invented here: no service has seen this id before.
      id: `fco_${String(call_id)}`,
      call_id,
      output: this.#options.folder.run(isCustom ? "edit_file" : String(name), input)
    }
  }

  /** A stream that breaks, or fails on the side of the server, is asked for again. */
  async #ask(input: ReadonlyArray<Json>): Promise<ReadonlyArray<Json>> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#askOnce(input)
      } catch (error) {
        if (!(error instanceof BrokenStream) || attempt === maxAttempts) throw error
      }
    }
  }

  async #askOnce(input: ReadonlyArray<Json>): Promise<ReadonlyArray<Json>> {
    const { apiKey, base } = this.#options
    this.requests++
    const response = await fetch(`${base}/responses`, {
      method: "POST",
      headers: {
        accept: "text/event-stream",
        authorization: `Bearer ${apiKey}`,
        "content-type": "application/json",
        originator: "agent_cli",
        "session-id": session,
        "thread-id": session,
        "x-client-request-id": session
      },
      body: JSON.stringify(this.#makeBody(input))
    })
    if (!response.ok) {
      const error = getProperty(await response.json(), "error")
      throw new Error(`${response.status} ${String(getProperty(error, "message"))}`)
    }
    return readItems(await response.text())
  }

  #makeBody(input: ReadonlyArray<Json>): Json {
    return {
      model: this.#options.model,
      input,
      tools: [
        {
          type: "namespace",
          name: agentNamespace,
          description: "Files of the project.",
          tools: agentTools.map(({ description, name, schema }) => ({
            type: "function",
            name,
            description,
            parameters: schema,
            strict: false
          }))
        },
        {
          type: "custom",
          name: "apply_patch",
          description: "Changes a file: its path, the old and the new text, each in a line.",
          format: { type: "grammar", syntax: "lark", definition: "start: /(.+\\n){3}/" }
        },
        { type: "web_search", external_web_access: false }
      ],
      tool_choice: "auto",
      parallel_tool_calls: true,
      reasoning: { summary: "auto" },
      store: false,
      stream: true,
      include: ["reasoning.encrypted_content"],
      prompt_cache_key: session,
      client_metadata: { "x-agent-installation-id": "1n5ta11" }
    }
  }
}

class BrokenStream extends Error {}

const toMessage = (role: string, text: string): Json => ({
  type: "message",
  role,
  content: [{ type: "input_text", text }]
})

const toText = (items: ReadonlyArray<Json>): string =>
  items
    .flatMap(({ content }) => (Array.isArray(content) ? content : []))
    .map((part) => getProperty(part, "text"))
    .join("")

const toEdit = (patch: string): Json => {
  const [path, from, to] = patch.split("\n")
  return { path, old: from, new: to }
}

/** The items of a stream that has ended; it looks at nothing else. */
const readItems = (text: string): ReadonlyArray<Json> => {
  const items: Array<Json> = []
  for (const line of text.split("\n")) {
    if (!line.startsWith("data: {")) continue
    const data: unknown = JSON.parse(line.slice("data: ".length))
    const response = getProperty(data, "response")
    switch (getProperty(data, "type")) {
      case "response.output_item.done": {
        const item = getProperty(data, "item")
        if (isObject(item)) items.push(item)
        break
      }
      case "response.failed": {
        const error = getProperty(response, "error")
        const message = String(getProperty(error, "message"))
        if (getProperty(error, "code") === "server_error") throw new BrokenStream(message)
        throw new Error(message)
      }
      case "response.incomplete":
        throw new Error("the answer is incomplete")
      case "response.completed":
        if (typeof getProperty(response, "id") !== "string") throw new Error("no response id")
        return items
      default:
    }
  }
  throw new BrokenStream("the stream has no end")
}
