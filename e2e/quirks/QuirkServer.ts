/** An instance on `node:http` with a scripted server for each provider in the table of quirks, which refuses what the table says. */
import Anthropic from "@anthropic-ai/sdk"
import { Signalbox } from "@signalbox/node"
import {
  type Quirk,
  type QuirkProvider,
  quirkProviders,
  quirks,
  ScriptedUpstream
} from "@signalbox/testing"
import OpenAI from "openai"
import { nodeHost, type RunningHost } from "../support/hosts.ts"
import { makeTestStores } from "../support/testStores.ts"
import { findParameterList, makeQuirkUpstream } from "./makeQuirkUpstream.ts"

const key = "sk-quirks-member"

/** A model of a provider that shows a quirk. */
export interface QuirkModel {
  readonly provider: QuirkProvider
  readonly dialect: Quirk["dialect"]
  readonly upstreamModel: string
}

export const toQuirkModel = (
  { dialect, model, providers }: Quirk,
  provider: QuirkProvider = providers[0]
): QuirkModel => ({ provider, dialect, upstreamModel: model ?? quirkProviders[provider].model })

const toSlug = ({ dialect, provider }: QuirkModel): string => `${provider.toLowerCase()}-${dialect}`
const toId = (model: QuirkModel): string => `${toSlug(model)}/${model.upstreamModel}`

export class QuirkServer implements AsyncDisposable {
  readonly #host: RunningHost
  readonly #instance: Signalbox
  readonly #servers: ReadonlyMap<string, ScriptedUpstream>

  private constructor(
    host: RunningHost,
    instance: Signalbox,
    servers: ReadonlyMap<string, ScriptedUpstream>
  ) {
    this.#host = host
    this.#instance = instance
    this.#servers = servers
  }

  static async start(): Promise<QuirkServer> {
    const models = new Map(
      quirks
        .flatMap((quirk) => quirk.providers.map((provider) => toQuirkModel(quirk, provider)))
        .map((model) => [toId(model), model])
    )
    const servers = new Map<string, ScriptedUpstream>()
    const upstreams = []
    for (const model of models.values()) {
      const slug = toSlug(model)
      if (servers.has(slug)) continue
      const server = await ScriptedUpstream.start({ quirks: model.provider })
      servers.set(slug, server)
      upstreams.push(makeQuirkUpstream(model.provider, model.dialect, slug, server.url))
    }
    const instance = await Signalbox.make({
      ...makeTestStores(),
      upstreams,
      models: Array.from(models, ([id, model]) => {
        const { dialect, provider, upstreamModel } = model
        const supportedParameters = findParameterList(provider, dialect, upstreamModel)
        return {
          id,
          endpoints: [
            {
              provider: toSlug(model),
              model: upstreamModel,
              price: { prompt: "0", completion: "0" },
              ...(supportedParameters === undefined ? undefined : { supportedParameters })
            }
          ]
        }
      }),
      keys: [{ key, kind: "member", user: "mem-1" }]
    })
    return new QuirkServer(await nodeHost.start(instance, ""), instance, servers)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host.close()
    await this.#instance.close()
    await Promise.all(Array.from(this.#servers.values(), (server) => server.close()))
  }

  /** The scripted server of a model, and the model's name for callers. */
  find(model: QuirkModel): { readonly id: string; readonly upstream: ScriptedUpstream } {
    const upstream = this.#servers.get(toSlug(model))
    if (upstream === undefined) throw new Error(`${toSlug(model)} has no server`)
    return { id: toId(model), upstream }
  }

  /** The official client, which does not retry; `tap` gets the text of each response. */
  makeClient(tap: (text: string) => void = () => {}): OpenAI {
    return new OpenAI({
      apiKey: key,
      baseURL: `${this.#host.origin}/api/v1`,
      maxRetries: 0,
      fetch: makeTappedFetch(tap)
    })
  }

  /** The official client of the Messages API, which does not retry. */
  makeAnthropicClient(tap: (text: string) => void = () => {}): Anthropic {
    return new Anthropic({
      apiKey: key,
      baseURL: `${this.#host.origin}/api`,
      maxRetries: 0,
      fetch: makeTappedFetch(tap)
    })
  }

  /** What comes over HTTP. */
  async post(
    path: string,
    body: object
  ): Promise<{ readonly status: number; readonly text: string }> {
    const response = await fetch(`${this.#host.origin}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${key}`,
        "content-type": "application/json",
        "anthropic-version": "2023-06-01"
      },
      body: JSON.stringify(body)
    })
    return { status: response.status, text: await response.text() }
  }
}

const makeTappedFetch =
  (tap: (text: string) => void): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    const text = await response.text()
    tap(text)
    return new Response(text, response)
  }
