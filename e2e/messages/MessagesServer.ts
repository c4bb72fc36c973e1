/** An instance in a host, which serves Anthropic's Messages API in front of a scripted provider of each API. */
import { anthropic } from "@signalbox/anthropic"
import { defaultAccountId, GenerationId, type Signalbox as Instance } from "@signalbox/core"
import type { Options, PriceList } from "@signalbox/core"
import { type Generation, GenerationStore } from "@signalbox/core/stores"
import { google } from "@signalbox/google"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { ScriptedUpstream } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { type Host, nodeHost, type RunningHost } from "../support/hosts.ts"
import { send, type SendOptions } from "../support/send.ts"
import { makeTestStores } from "../support/testStores.ts"
import { readEvents } from "./readEvents.ts"

export const memberKey = "sk-messages-member-77c1"
export const managementKey = "sk-messages-management-0d34"

export const providers = ["messages", "chat", "gemini", "responses"] as const
export type Provider = (typeof providers)[number]

/** Names whose facts the upstreams know. */
const upstreamModels: Readonly<Record<Provider, string>> = {
  messages: "claude-opus-4-8",
  chat: "acme-native",
  gemini: "gemini-3-flash",
  responses: "gpt-5"
}

const toOptions = (slug: Provider) => ({ slug, name: slug, apiKey: `sk-at-${slug}-5512` })

export interface MessagesServerOptions extends Omit<
  Partial<Options>,
  "keys" | "models" | "upstreams"
> {
  readonly host?: Host
  readonly mount?: string
  readonly price?: PriceList
}

/** USD per token. */
const price = {
  prompt: "0.000005",
  completion: "0.000025",
  input_cache_read: "0.0000005",
  input_cache_write: "0.00000625"
}

/** A valid request. */
export const hello = {
  model: "proof/messages",
  max_tokens: 1_000,
  messages: [{ role: "user", content: "Hello?" }]
}

export class MessagesServer implements AsyncDisposable {
  readonly instance: Instance
  /** The URL of the host, with the mount. */
  readonly root: string
  readonly upstreams: Readonly<Record<Provider, ScriptedUpstream>>
  readonly #host: RunningHost

  private constructor(
    { instance, root, upstreams }: Pick<MessagesServer, "instance" | "root" | "upstreams">,
    host: RunningHost
  ) {
    this.instance = instance
    this.root = root
    this.upstreams = upstreams
    this.#host = host
  }

  /** The model `proof/<provider>` has one endpoint, `proof/all` has one of each API, in the order of `providers`. */
  static async start({
    host = nodeHost,
    mount = "",
    price: charged = price,
    ...options
  }: MessagesServerOptions = {}): Promise<MessagesServer> {
    const upstreams = {
      messages: await ScriptedUpstream.start(),
      chat: await ScriptedUpstream.start(),
      gemini: await ScriptedUpstream.start(),
      responses: await ScriptedUpstream.start()
    }
    const toEndpoint = (provider: Provider) => ({
      provider,
      model: upstreamModels[provider],
      price: charged,
      contextLength: 1_000_000
    })
    const instance = await Signalbox.make({
      ...makeTestStores(),
      ...options,
      upstreams: [
        anthropic({ ...toOptions("messages"), baseUrl: upstreams.messages.url }),
        openai({ ...toOptions("chat"), baseUrl: `${upstreams.chat.url}/v1` }),
        google({ ...toOptions("gemini"), baseUrl: `${upstreams.gemini.url}/v1beta` }),
        openai({
          ...toOptions("responses"),
          baseUrl: `${upstreams.responses.url}/v1`,
          api: "responses"
        })
      ],
      models: [
        ...providers.map((provider) => ({
          id: `proof/${provider}`,
          endpoints: [toEndpoint(provider)]
        })),
        { id: "proof/all", endpoints: providers.map(toEndpoint) }
      ],
      keys: [
        { key: memberKey, kind: "member", user: "mem-1" },
        { key: managementKey, kind: "management" }
      ]
    })
    const running = await host.start(instance, mount)
    return new MessagesServer({ instance, root: running.origin + mount, upstreams }, running)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host.close()
    await Promise.all(Object.values(this.upstreams).map((upstream) => upstream.close()))
    await this.instance.close()
  }

  /** Posts to a path of the API as a member. */
  post(
    body: unknown,
    { headers, path = "/messages", ...options }: SendOptions & { readonly path?: string } = {}
  ) {
    return send(`${this.root}/api/v1${path}`, {
      body: typeof body === "string" ? body : JSON.stringify(body),
      ...options,
      headers: { "content-type": "application/json", "x-api-key": memberKey, ...headers }
    })
  }

  /** A streamed answer as its events, which are checked. */
  async stream(body: object, options: SendOptions = {}) {
    const response = await this.post({ ...body, stream: true }, options)
    return { ...response, events: readEvents(response.text) }
  }

  findRecord(id: unknown): Promise<Generation | undefined> {
    return Effect.runPromise(
      Context.get(this.instance.context, GenerationStore).find(
        defaultAccountId,
        GenerationId.make(String(id))
      )
    )
  }
}
