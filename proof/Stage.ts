/** Where a case plays: a box in a host, between a real client and scripted upstream servers. */
import { inspect } from "node:util"
import { defaultAccountId, GenerationId, type Signalbox as Box } from "@signalbox/core"
import { webHandler } from "@signalbox/core/adapter"
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
import { decodesInClient } from "./decodesInClient.ts"
import { type Host, nodeHost, type RunningHost } from "./hosts.ts"
import { send, type Sending } from "./send.ts"
import { storesOfProofs } from "./storesOfProofs.ts"
import { native, type Way } from "./ways.ts"

export const keys = {
  member: "sk-proof-member-5e1f9c",
  management: "sk-proof-management-77ab02",
  organization: "sk-proof-organization-c3d8e4"
} as const

/** The providers of a stage, in the order in which its requests ask them by default. */
export const slugs = ["first", "second"] as const
export type Slug = (typeof slugs)[number]

export const nameOf = (slug: Slug): string => (slug === "first" ? "First" : "Second")
export const upstreamKeyOf = (slug: Slug): string => `sk-at-upstream-${slug}-90c1`

export interface Scene {
  readonly host?: Host
  readonly mount?: string
  readonly way?: Way
  readonly settings?: Partial<SettingsShape>
  /** Of both endpoints; default: nothing. */
  readonly price?: PriceList
  /** By provider, where it differs. */
  readonly prices?: Readonly<Record<string, PriceList>>
  readonly credits?: Options["credits"]
  /** Both endpoints promise to retain nothing. */
  readonly zdr?: boolean
  readonly sealing?: SealingKeys
  /** Lets in users of the host's own, beside those with `keys`. */
  readonly authenticate?: NonNullable<Options["authenticate"]>
  /** Where the first provider is looked for, given where its server is. */
  readonly rootOfFirst?: (url: string) => string | Promise<string>
  /** The first provider's server has a certificate, which nobody trusts. */
  readonly tls?: boolean
  /** More upstreams, each with a model `proof/<slug>`. */
  readonly plugs?: ReadonlyArray<Upstream>
}

/** What a question of a request asks for, as the wire has it. */
export const questions = {
  urgent: { type: "noul", instructions: "Is it urgent?" },
  team: { type: "choice", instructions: "Whose is it?", criteria: { billing: null, tech: "it" } },
  severity: { type: "score", instructions: "How bad is it?", criteria: ["fine", "bad", "down"] }
} satisfies Readonly<Record<string, Question>>

/** A good request, asked of the first provider and then of the second. */
export const request = (changes: Readonly<Record<string, unknown>> = {}) => ({
  model: "proof/model",
  state: "I was charged twice!",
  questions,
  provider: { order: slugs },
  ...changes
})

export class Stage implements AsyncDisposable {
  readonly box: Box
  /** Of the host, with the mount. */
  readonly root: string
  readonly upstreams: Readonly<Record<Slug, ScriptedUpstream>>
  /** Everything the service has logged for requests, one text for each entry. */
  readonly logs: ReadonlyArray<string>

  readonly #host: RunningHost

  private constructor(
    stage: Pick<Stage, "box" | "upstreams" | "logs">,
    host: RunningHost,
    mount: string
  ) {
    this.box = stage.box
    this.root = host.origin + mount
    this.upstreams = stage.upstreams
    this.logs = stage.logs
    this.#host = host
  }

  static async open(scene: Scene = {}): Promise<Stage> {
    const {
      host = nodeHost,
      mount = "",
      plugs = [],
      prices = {},
      tls = false,
      way = native
    } = scene
    const first = await ScriptedUpstream.start({ tls })
    const second = await ScriptedUpstream.start()
    const upstreams = { first, second }
    const { rootOfFirst = (url) => url } = scene
    const roots = { first: await rootOfFirst(first.url), second: second.url }
    const price = scene.price ?? { prompt: "0", completion: "0" }
    const endpoint = (provider: string): EndpointConfig => ({
      provider,
      price: prices[provider] ?? price,
      supportedParameters: withCap(way.supportedParameters),
      ...(scene.zdr === undefined ? undefined : { zdr: scene.zdr })
    })
    const box = await Signalbox.make({
      ...storesOfProofs(),
      upstreams: [
        ...slugs.map((slug) =>
          way.upstream(roots[slug], {
            slug,
            name: nameOf(slug),
            apiKey: upstreamKeyOf(slug)
          })
        ),
        ...plugs
      ],
      models: [
        { id: "proof/model", endpoints: slugs.map(endpoint) },
        ...plugs.map(({ slug }) => ({ id: `proof/${slug}`, endpoints: [endpoint(slug)] }))
      ],
      keys: [
        { key: keys.member, kind: "member", user: "mem-1" },
        { key: keys.management, kind: "management" },
        { key: keys.organization, kind: "organization" }
      ],
      ...(scene.authenticate === undefined ? undefined : { authenticate: scene.authenticate }),
      ...(scene.credits === undefined ? undefined : { credits: scene.credits }),
      ...(scene.sealing === undefined ? undefined : { sealing: scene.sealing }),
      ...(scene.settings === undefined ? undefined : { settings: scene.settings })
    })
    const logs: Array<string> = []
    const listening = listenedTo(box, logs)
    const running = await host.start(listening, mount)
    return new Stage({ box: listening, upstreams, logs }, running, mount)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host.close()
    await Promise.all([this.upstreams.first.close(), this.upstreams.second.close()])
    await this.box.close()
  }

  /** Asks for a Decision; the reference client's decoders judge whatever comes back. */
  async ask(body: unknown = request(), sending: Sending & { readonly key?: string } = {}) {
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
    await decodesInClient(answer)
    return answer
  }

  /** The record of a Decision, by the id in its answer. */
  generation(id: unknown): Promise<Generation | undefined> {
    return Effect.runPromise(
      Context.get(this.box.context, GenerationStore).find(
        defaultAccountId,
        GenerationId.make(String(id))
      )
    )
  }

  /** How many requests each upstream has received. */
  get calls(): Readonly<Record<Slug, number>> {
    const { first, second } = this.upstreams
    return { first: first.requests.length, second: second.requests.length }
  }
}

/** The box with a logger that writes to `logs`, in place of the one that writes to the console. */
const listenedTo = (box: Box, logs: Array<string>): Box => {
  const logger = Logger.make(({ cause, message }) => {
    logs.push(inspect([message, cause], { depth: 12 }))
  })
  const context = Context.add(box.context, Logger.CurrentLoggers, new Set([logger]))
  return { ...box, context, fetch: webHandler(context) }
}

/** Chats send a cap, under the name the way lists. */
const withCap = (listed: ReadonlyArray<string>): ReadonlyArray<string> =>
  listed.includes("max_completion_tokens") ? listed : ["max_tokens", ...listed]
