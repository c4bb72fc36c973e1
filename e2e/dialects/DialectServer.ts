/** An instance whose providers speak the four dialects of chat; a test writes their answers. */
import type { ServerResponse } from "node:http"
import Anthropic from "@anthropic-ai/sdk"
import { anthropic } from "@signalbox/anthropic"
import { defaultAccountId, GenerationId, type Signalbox as Instance } from "@signalbox/core"
import type { Options, PriceList } from "@signalbox/core"
import { GenerationStore, type Generation } from "@signalbox/core/stores"
import { google } from "@signalbox/google"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import { findRefusal } from "@signalbox/testing"
import { type ReceivedRequest, sendJson, startRecordingServer } from "@signalbox/testing/recording"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import OpenAI from "openai"
import { type Host, nodeHost, type RunningHost } from "../support/hosts.ts"
import { makeTestStores } from "../support/testStores.ts"
import { recordLogs } from "../support/recordTelemetry.ts"
import {
  findProviderDialect,
  forEachDialect,
  type ProviderDialect,
  providerDialects
} from "./ProviderDialect.ts"

export const memberKey = "sk-dialects-member-41c7"
export const managementKey = "sk-dialects-management-9b02"

/** The host's key at the provider of a dialect. */
const toHostKey = (dialect: ProviderDialect): string => `sk-host-${dialect}-7f3a90`

/** Names whose facts the upstreams know: models that think, and take instructions between messages. */
const upstreamModels: Readonly<Record<ProviderDialect, string>> = {
  chat: "acme-native",
  messages: "claude-opus-5",
  gemini: "gemini-3-flash",
  responses: "gpt-5"
}

const toOptions = (slug: ProviderDialect) => ({ slug, name: slug, apiKey: toHostKey(slug) })

export type Answer = (
  request: ReceivedRequest,
  response: ServerResponse,
  dialect: ProviderDialect
) => void

export interface DialectServerOptions {
  readonly answer: Answer
  /** Whether the providers refuse what they are known to refuse. Default true. */
  readonly refuses?: boolean
  readonly price?: PriceList
  /** Of all endpoints, in tokens; default: unknown. */
  readonly contextLength?: number
  /** Default: `node:http`. */
  readonly host?: Host
  readonly instance?: Omit<Partial<Options>, "keys" | "models" | "telemetry" | "upstreams">
}

export class DialectServer implements AsyncDisposable {
  readonly instance: Instance
  readonly root: string
  /** What the providers received, in order. */
  readonly requests: ReadonlyArray<ReceivedRequest>
  /** Everything that was logged. */
  readonly logs: ReadonlyArray<string>
  readonly #host: RunningHost
  readonly #scope: Scope.Closeable

  private constructor(
    parts: Pick<DialectServer, "instance" | "logs" | "requests" | "root">,
    host: RunningHost,
    scope: Scope.Closeable
  ) {
    this.instance = parts.instance
    this.logs = parts.logs
    this.requests = parts.requests
    this.root = parts.root
    this.#host = host
    this.#scope = scope
  }

  /**
   * The model `proof/<dialect>` has one endpoint, `proof/all` has one of each dialect, `proof/openrouter` one at OpenRouter, and
   * `proof/gateways` that and the one of the chat dialect.
   */
  static async start({
    answer,
    contextLength,
    host: within = nodeHost,
    instance: options = {},
    price = { prompt: "0", completion: "0" },
    refuses = true
  }: DialectServerOptions): Promise<DialectServer> {
    const scope = Scope.makeUnsafe()
    const { requests, url } = await Effect.runPromise(
      startRecordingServer((request, response) => {
        const dialect = findProviderDialect(request.url?.split("?", 1)[0] ?? "")
        const asked = { body: request.json, model: upstreamModels[dialect] }
        const refusal = refuses ? findRefusal(undefined, dialect, asked) : undefined
        if (refusal === undefined) answer(request, response, dialect)
        else sendJson(response, refusal.error, refusal.status)
      }).pipe(Scope.provide(scope))
    )
    const endpoints = forEachDialect((provider) => ({
      provider,
      price,
      ...(contextLength === undefined ? undefined : { contextLength }),
      model: upstreamModels[provider]
    }))
    const logs: Array<string> = []
    const instance = await Signalbox.make({
      ...makeTestStores(),
      ...options,
      upstreams: [
        openai({ ...toOptions("chat"), baseUrl: `${url}/v1` }),
        anthropic({ ...toOptions("messages"), baseUrl: url }),
        google({ ...toOptions("gemini"), baseUrl: `${url}/v1beta` }),
        openai({ ...toOptions("responses"), baseUrl: `${url}/v1`, api: "responses" }),
        openrouter({ name: "openrouter", apiKey: "sk-host-openrouter-7f3a90", baseUrl: url })
      ],
      models: [
        ...providerDialects.map((dialect) => ({
          id: `proof/${dialect}`,
          endpoints: [endpoints[dialect]]
        })),
        { id: "proof/all", endpoints: Object.values(endpoints) },
        { id: "proof/openrouter", endpoints: [{ ...endpoints.chat, provider: "openrouter" }] },
        {
          id: "proof/gateways",
          endpoints: [{ ...endpoints.chat, provider: "openrouter" }, endpoints.chat]
        }
      ],
      keys: [
        { key: memberKey, kind: "member", user: "mem-1" },
        { key: managementKey, kind: "management" }
      ],
      telemetry: recordLogs(logs)
    })
    const host = await within.start(instance, "")
    return new DialectServer({ instance, logs, requests, root: host.origin }, host, scope)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#host.close()
    await this.instance.close()
    await Effect.runPromise(Scope.close(this.#scope, Exit.void))
  }

  /** The official client, which does not retry; `tap` gets the text of each response. */
  makeClient(tap?: (text: string) => void): OpenAI {
    return new OpenAI({
      apiKey: memberKey,
      baseURL: `${this.root}/api/v1`,
      maxRetries: 0,
      ...(tap === undefined ? undefined : { fetch: makeTappedFetch(tap) })
    })
  }

  /** The official client of the Messages API, which does not retry. */
  makeAnthropicClient(tap?: (text: string) => void): Anthropic {
    return new Anthropic({
      apiKey: memberKey,
      baseURL: `${this.root}/api`,
      maxRetries: 0,
      ...(tap === undefined ? undefined : { fetch: makeTappedFetch(tap) })
    })
  }

  /** The record of the answer with this id. */
  findRecord(id: string): Promise<Generation | undefined> {
    return Effect.runPromise(
      Context.get(this.instance.context, GenerationStore).find(
        defaultAccountId,
        GenerationId.make(id)
      )
    )
  }
}

/** Reads to the end what the client would leave after an error. */
const makeTappedFetch =
  (tap: (text: string) => void): typeof fetch =>
  async (input, init) => {
    const response = await fetch(input, init)
    const text = await response.text()
    tap(text)
    return new Response(text, response)
  }
