/** An instance whose providers search and read by themselves, and report usage as a test says. */
import type { ServerResponse } from "node:http"
import { anthropic } from "@signalbox/anthropic"
import { defaultAccountId, type Signalbox as Instance } from "@signalbox/core"
import type { EndpointConfig, Options } from "@signalbox/core"
import { Ledger } from "@signalbox/core/adapter"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { type ReceivedRequest, startRecordingServer } from "@signalbox/testing/recording"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import { nodeHost, type RunningHost } from "../support/hosts.ts"
import { send } from "../support/send.ts"
import { makeTestStores } from "../support/testStores.ts"

export const memberKey = "sk-server-tools-member-8d02"
const managementKey = "sk-server-tools-management-51e7"

export const apis = ["chat", "messages", "responses"] as const
export type Api = (typeof apis)[number]

const paths = { chat: "/chat/completions", messages: "/messages", responses: "/responses" }

/** What a provider counts. */
interface Counts {
  readonly input: number
  readonly output: number
  readonly searches?: number
  readonly cacheRead?: number
  readonly cacheWrite?: number
}

export interface ServerToolsOptions {
  readonly counts?: Counts
  readonly endpoint?: Partial<EndpointConfig>
  readonly memberKey?: Partial<NonNullable<Options["keys"]>[number]>
  readonly instance?: Omit<Partial<Options>, "keys" | "models" | "upstreams">
  /** Answers in place of `counts`. */
  readonly script?: (response: ServerResponse, api: Api) => void
}

export const price = { prompt: "0.000001", completion: "0.00001", web_search: "0.01" }

/** The smallest request of each API. */
const questions: Readonly<Record<Api, object>> = {
  chat: { model: "proof/chat", max_tokens: 100, messages: [{ role: "user", content: "News?" }] },
  messages: {
    model: "proof/messages",
    max_tokens: 100,
    messages: [{ role: "user", content: "News?" }]
  },
  responses: { model: "proof/responses", max_output_tokens: 100, input: "News?" }
}

export class ServerToolsServer implements AsyncDisposable {
  readonly instance: Instance
  readonly root: string
  readonly requests: ReadonlyArray<ReceivedRequest>
  readonly #host: RunningHost
  readonly #scope: Scope.Closeable

  private constructor(
    parts: Pick<ServerToolsServer, "instance" | "requests" | "root">,
    host: RunningHost,
    scope: Scope.Closeable
  ) {
    this.instance = parts.instance
    this.requests = parts.requests
    this.root = parts.root
    this.#host = host
    this.#scope = scope
  }

  static async start({
    counts = { input: 10, output: 10 },
    endpoint = {},
    instance: options = {},
    memberKey: limits = {},
    script
  }: ServerToolsOptions = {}): Promise<ServerToolsServer> {
    const scope = Scope.makeUnsafe()
    const { requests, url } = await Effect.runPromise(
      startRecordingServer((request, response) => {
        if (script === undefined) answer(request, response, counts)
        else script(response, findApi(request))
      }).pipe(Scope.provide(scope))
    )
    const instance = await Signalbox.make({
      ...makeTestStores(),
      ...options,
      upstreams: [
        openai({ slug: "chat", name: "chat", apiKey: "sk-1", baseUrl: `${url}/v1` }),
        anthropic({ slug: "messages", name: "messages", apiKey: "sk-2", baseUrl: url }),
        openai({
          slug: "responses",
          name: "responses",
          apiKey: "sk-3",
          baseUrl: `${url}/v1`,
          api: "responses"
        })
      ],
      models: apis.map((provider) => ({
        id: `proof/${provider}`,
        endpoints: [
          { provider, model: `at-${provider}`, price, contextLength: 1_000_000, ...endpoint }
        ]
      })),
      keys: [
        { key: memberKey, kind: "member", user: "mem-1", ...limits },
        { key: managementKey, kind: "management" }
      ]
    })
    const host = await nodeHost.start(instance, "")
    return new ServerToolsServer({ instance, requests, root: host.origin }, host, scope)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host.close()
    await this.instance.close()
    await Effect.runPromise(Scope.close(this.#scope, Exit.void))
  }

  ask(api: Api, body: object, key = memberKey) {
    return send(`${this.root}/api/v1${paths[api]}`, {
      body: JSON.stringify({ ...questions[api], ...body }),
      headers: { "content-type": "application/json", authorization: `Bearer ${key}` }
    })
  }

  manage(path: string, body: object, method = "POST") {
    return send(`${this.root}/api/v1${path}`, {
      method,
      body: JSON.stringify(body),
      headers: { "content-type": "application/json", authorization: `Bearer ${managementKey}` }
    })
  }

  /** USD that the default account has spent of its credits. */
  async findSpent(): Promise<number> {
    const credits = await Effect.runPromise(
      Context.get(this.instance.context, Ledger).findCredits(defaultAccountId)
    )
    return Number(credits?.settled ?? 0) / 1e9
  }
}

const findApi = ({ url = "" }: ReceivedRequest): Api =>
  apis.find((api) => url.endsWith(paths[api])) ?? "chat"

const answer = (request: ReceivedRequest, response: ServerResponse, counts: Counts): void => {
  const { stream } = JSON.parse(request.text) as { readonly stream?: boolean }
  const api = findApi(request)
  const { events, whole } = writers[api](counts)
  if (stream !== true) {
    response.setHeader("content-type", "application/json")
    response.end(JSON.stringify(whole))
    return
  }
  writeEvents(response, events)
  response.end(api === "chat" ? "data: [DONE]\n\n" : "")
}

export type Event = Readonly<Record<string, unknown>>

export const writeEvents = (response: ServerResponse, events: ReadonlyArray<Event>): void => {
  response.setHeader("content-type", "text/event-stream")
  for (const event of events) {
    const name = "type" in event ? `event: ${String(event["type"])}\n` : ""
    response.write(`${name}data: ${JSON.stringify(event)}\n\n`)
  }
}

interface Written {
  readonly whole: object
  readonly events: ReadonlyArray<Event>
}

const toChat = ({ cacheRead, input, output, searches }: Counts): Written => {
  const usage = {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cacheRead === undefined
      ? undefined
      : { prompt_tokens_details: { cached_tokens: cacheRead } }),
    ...(searches === undefined ? undefined : { server_tool_use: { web_search_requests: searches } })
  }
  const head = { id: "c1", created: 1, model: "at-chat" }
  const choice = { index: 0, logprobs: null }
  return {
    whole: {
      ...head,
      object: "chat.completion",
      choices: [
        { ...choice, message: { role: "assistant", content: "Calm." }, finish_reason: "stop" }
      ],
      usage
    },
    events: [
      {
        ...head,
        object: "chat.completion.chunk",
        choices: [
          { ...choice, delta: { role: "assistant", content: "Calm." }, finish_reason: null }
        ]
      },
      {
        ...head,
        object: "chat.completion.chunk",
        choices: [{ ...choice, delta: {}, finish_reason: "stop" }]
      },
      { ...head, object: "chat.completion.chunk", choices: [], usage }
    ]
  }
}

const toMessages = ({ cacheRead, cacheWrite, input, output, searches }: Counts): Written => {
  const usage = {
    input_tokens: input,
    output_tokens: output,
    ...(cacheRead === undefined ? undefined : { cache_read_input_tokens: cacheRead }),
    ...(cacheWrite === undefined ? undefined : { cache_creation_input_tokens: cacheWrite }),
    ...(searches === undefined
      ? undefined
      : { server_tool_use: { web_search_requests: searches, web_fetch_requests: 2 } })
  }
  const message = {
    id: "m1",
    type: "message",
    role: "assistant",
    model: "at-messages",
    stop_sequence: null
  }
  return {
    whole: {
      ...message,
      content: [{ type: "text", text: "Calm." }],
      stop_reason: "end_turn",
      usage
    },
    events: [
      {
        type: "message_start",
        message: {
          ...message,
          content: [],
          stop_reason: null,
          usage: { ...usage, output_tokens: 0 }
        }
      },
      { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } },
      {
        type: "content_block_delta",
        index: 0,
        delta: { type: "text_delta", text: "Calm." }
      },
      { type: "content_block_stop", index: 0 },
      { type: "message_delta", delta: { stop_reason: "end_turn", stop_sequence: null }, usage },
      { type: "message_stop" }
    ]
  }
}

const toResponses = ({ cacheRead = 0, input, output, searches = 0 }: Counts): Written => {
  const item = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: "Calm.", annotations: [] }]
  }
  const calls = Array.from({ length: searches }, (_, index) => ({
    id: `ws_${index}`,
    type: "web_search_call",
    status: "completed",
    action: { type: "search", query: "news" }
  }))
  const response = {
    id: "r1",
    object: "response",
    created_at: 1,
    model: "at-responses",
    status: "completed",
    output: [...calls, item],
    usage: {
      input_tokens: input,
      input_tokens_details: { cached_tokens: cacheRead },
      output_tokens: output,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: input + output
    }
  }
  const started = { ...response, status: "in_progress", output: [], usage: null }
  const at = { output_index: searches, item_id: "msg_1", content_index: 0 }
  return {
    whole: response,
    events: [
      { type: "response.created", response: started },
      ...calls.flatMap((call, index) => [
        { type: "response.output_item.added", output_index: index, item: call },
        { type: "response.output_item.done", output_index: index, item: call }
      ]),
      {
        type: "response.output_item.added",
        output_index: searches,
        item: { ...item, status: "in_progress", content: [] }
      },
      {
        type: "response.content_part.added",
        ...at,
        part: { type: "output_text", text: "", annotations: [] }
      },
      { type: "response.output_text.delta", ...at, delta: "Calm." },
      { type: "response.output_text.done", ...at, text: "Calm." },
      { type: "response.content_part.done", ...at, part: item.content[0] },
      { type: "response.output_item.done", output_index: searches, item },
      { type: "response.completed", response }
    ].map((event, sequence_number) => ({ ...event, sequence_number }))
  }
}

const writers = { chat: toChat, messages: toMessages, responses: toResponses }
