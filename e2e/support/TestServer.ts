/** A test server: an instance in a host, with scripted upstream servers. */
import { inspect } from "node:util"
import { defaultAccountId, GenerationId, type Signalbox as Instance } from "@signalbox/core"
import { makeWebHandler } from "@signalbox/core/adapter"
import { GenerationStore } from "@signalbox/core/stores"
import type {
  EndpointConfig,
  Options,
  PriceList,
  Question,
  SealingKeys,
  SettingsShape
} from "@signalbox/core"
import type { Generation } from "@signalbox/core/stores"
import type { Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { ScriptedUpstream } from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { decodeInClient } from "./decodeInClient.ts"
import { type Host, nodeHost, type RunningHost } from "./hosts.ts"
import { send, type SendOptions } from "./send.ts"
import { makeTestStores } from "./testStores.ts"
import { native, type DecisionMethod } from "./decisionMethods.ts"

export const keys = {
  member: "sk-proof-member-5e1f9c",
  management: "sk-proof-management-77ab02",
  organization: "sk-proof-organization-c3d8e4"
} as const

/** The providers of a test server, in the default order of its requests. */
export const slugs = ["first", "second"] as const
export type Slug = (typeof slugs)[number]

export const toProviderName = (slug: Slug): string => (slug === "first" ? "First" : "Second")
export const toUpstreamKey = (slug: Slug): string => `sk-at-upstream-${slug}-90c1`

export interface TestServerOptions {
  readonly host?: Host
  readonly mount?: string
  readonly method?: DecisionMethod
  readonly settings?: Partial<SettingsShape>
  /** The price of both endpoints; default: free. */
  readonly price?: PriceList
  /** The prices of individual providers, which override `price`. */
  readonly prices?: Readonly<Record<string, PriceList>>
  /** The context length of both endpoints, in tokens; default: unknown. */
  readonly contextLength?: number
  readonly credits?: Options["credits"]
  readonly presets?: Options["presets"]
  readonly responseCache?: Options["responseCache"]
  /** Whether both endpoints have zero data retention. */
  readonly zdr?: boolean
  readonly sealing?: SealingKeys
  readonly contentChecks?: Options["contentChecks"]
  readonly pkce?: NonNullable<Options["pkce"]>
  /** Authenticates users of the application, besides those with `keys`. */
  readonly authenticate?: NonNullable<Options["authenticate"]>
  /** Maps the URL of the first provider's server to the configured one. */
  readonly toFirstUrl?: (url: string) => string | Promise<string>
  /** Whether the first provider's server has an untrusted certificate. */
  readonly tls?: boolean
  /** More upstreams, each with a model `proof/<slug>`. */
  readonly extraUpstreams?: ReadonlyArray<Upstream>
}

/** Every request uses the cache of responses, and finds nothing in it: the server is new. */
export const cachingAll = { responseCache: { enabled: true } } as const

/** The questions of a valid request. */
export const questions = {
  urgent: { type: "noul", instructions: "Is it urgent?" },
  team: { type: "choice", instructions: "Whose is it?", criteria: { billing: null, tech: "it" } },
  severity: { type: "score", instructions: "How bad is it?", criteria: ["fine", "bad", "down"] }
} satisfies Readonly<Record<string, Question>>

/** A valid request, which prefers the first provider to the second. */
export const makeDecisionRequest = (changes: Readonly<Record<string, unknown>> = {}) => ({
  model: "proof/model",
  state: "I was charged twice!",
  questions,
  provider: { order: slugs },
  ...changes
})

export class TestServer implements AsyncDisposable {
  readonly instance: Instance
  /** The URL of the host, including the mount. */
  readonly root: string
  readonly upstreams: Readonly<Record<Slug, ScriptedUpstream>>
  /** The log entries of requests. */
  readonly logs: ReadonlyArray<string>

  readonly #host: RunningHost

  private constructor(
    server: Pick<TestServer, "instance" | "upstreams" | "logs">,
    host: RunningHost,
    mount: string
  ) {
    this.instance = server.instance
    this.root = host.origin + mount
    this.upstreams = server.upstreams
    this.logs = server.logs
    this.#host = host
  }

  static async start(options: TestServerOptions = {}): Promise<TestServer> {
    const {
      host = nodeHost,
      mount = "",
      extraUpstreams = [],
      prices = {},
      tls = false,
      method = native
    } = options
    const first = await ScriptedUpstream.start({ tls })
    const second = await ScriptedUpstream.start()
    const upstreams = { first, second }
    const { toFirstUrl = (url) => url } = options
    const roots = { first: await toFirstUrl(first.url), second: second.url }
    const price = options.price ?? { prompt: "0", completion: "0" }
    const endpoint = (provider: string): EndpointConfig => ({
      provider,
      price: prices[provider] ?? price,
      supportedParameters: addMaxTokens(method.supportedParameters),
      ...(options.contextLength === undefined
        ? undefined
        : { contextLength: options.contextLength }),
      ...(options.zdr === undefined ? undefined : { zdr: options.zdr })
    })
    const instance = await Signalbox.make({
      ...makeTestStores(),
      upstreams: [
        ...slugs.map((slug) =>
          method.makeUpstream(roots[slug], {
            slug,
            name: toProviderName(slug),
            apiKey: toUpstreamKey(slug)
          })
        ),
        ...extraUpstreams
      ],
      models: [
        { id: "proof/model", endpoints: slugs.map(endpoint) },
        ...extraUpstreams.map(({ slug }) => ({ id: `proof/${slug}`, endpoints: [endpoint(slug)] }))
      ],
      keys: [
        { key: keys.member, kind: "member", user: "mem-1" },
        { key: keys.management, kind: "management" },
        { key: keys.organization, kind: "organization" }
      ],
      ...(options.authenticate === undefined ? undefined : { authenticate: options.authenticate }),
      ...(options.credits === undefined ? undefined : { credits: options.credits }),
      ...(options.contentChecks === undefined
        ? undefined
        : { contentChecks: options.contentChecks }),
      ...(options.pkce === undefined ? undefined : { pkce: options.pkce }),
      ...(options.presets === undefined ? undefined : { presets: options.presets }),
      ...(options.responseCache === undefined
        ? undefined
        : { responseCache: options.responseCache }),
      ...(options.sealing === undefined ? undefined : { sealing: options.sealing }),
      ...(options.settings === undefined ? undefined : { settings: options.settings })
    })
    const logs: Array<string> = []
    const listening = captureLogs(instance, logs)
    const running = await host.start(listening, mount)
    return new TestServer({ instance: listening, upstreams, logs }, running, mount)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host.close()
    await Promise.all([this.upstreams.first.close(), this.upstreams.second.close()])
    await this.instance.close()
  }

  /** Requests a Decision and validates the response with the reference client's decoders. */
  async ask(
    body: unknown = makeDecisionRequest(),
    sending: SendOptions & { readonly key?: string } = {}
  ) {
    const { headers, key = keys.member, ...rest } = sending
    const answer = await send(`${this.root}/api/alpha/decisions`, {
      body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
      ...rest,
      headers: {
        "content-type": "application/json",
        ...(key === "" ? undefined : { authorization: `Bearer ${key}` }),
        ...headers
      }
    })
    await decodeInClient(answer)
    return answer
  }

  /** The record of a Decision, by its id. */
  generation(id: unknown): Promise<Generation | undefined> {
    return Effect.runPromise(
      Context.get(this.instance.context, GenerationStore).find(
        defaultAccountId,
        GenerationId.make(String(id))
      )
    )
  }

  /** The number of requests that each upstream has received. */
  get calls(): Readonly<Record<Slug, number>> {
    const { first, second } = this.upstreams
    return { first: first.requests.length, second: second.requests.length }
  }
}

/** An instance whose logger writes to `logs` instead of the console. */
const captureLogs = (instance: Instance, logs: Array<string>): Instance => {
  const logger = Logger.make(({ cause, message }) => {
    logs.push(inspect([message, cause], { depth: 12 }))
  })
  const context = Context.add(instance.context, Logger.CurrentLoggers, new Set([logger]))
  return { ...instance, context, fetch: makeWebHandler(context) }
}

/** Chats limit their output with the parameter that the method supports. */
const addMaxTokens = (rows: ReadonlyArray<string>): ReadonlyArray<string> =>
  rows.includes("max_completion_tokens") ? rows : ["max_tokens", ...rows]
