/** An instance in a host whose scripted providers speak the four dialects of chat. */
import { anthropic } from "@signalbox/anthropic"
import { defaultAccountId, GenerationId, type Signalbox as Instance } from "@signalbox/core"
import type { Options, PriceList } from "@signalbox/core"
import { GenerationStore, type Generation } from "@signalbox/core/stores"
import { google } from "@signalbox/google"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import {
  checkResponsesEvents,
  type ResponsesEventsOptions,
  ScriptedUpstream
} from "@signalbox/testing"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { expect, onTestFinished } from "vitest"
import {
  forEachDialect,
  type ProviderDialect,
  providerDialects
} from "../dialects/ProviderDialect.ts"
import { type Host, nodeHost } from "../support/hosts.ts"
import type { HttpResponse } from "../support/HttpResponse.ts"
import { send, type SendOptions } from "../support/send.ts"
import { makeTestStores } from "../support/testStores.ts"

export const memberKey = "sk-responses-member-3d10"

/** Names whose facts the upstreams know. */
const upstreamModels: Readonly<Record<ProviderDialect, string>> = {
  chat: "acme-native",
  messages: "claude-opus-5",
  gemini: "gemini-3-flash",
  responses: "gpt-5"
}

const toOptions = (slug: ProviderDialect) => ({ slug, name: slug, apiKey: `sk-of-${slug}-51ab` })

export interface ResponsesServerOptions {
  readonly host?: Host
  readonly mount?: string
  readonly price?: PriceList
  /** The address of a provider, by the address of its server; default: the same. */
  readonly toUrl?: (url: string) => Promise<string>
  readonly instance?: Omit<Partial<Options>, "keys" | "models" | "upstreams">
}

export interface ResponsesServer {
  readonly instance: Instance
  /** The URL of the API, such as `http://127.0.0.1:1234/deep/ai/api/v1`. */
  readonly base: string
  readonly providers: Readonly<Record<ProviderDialect, ScriptedUpstream>>
  readonly ask: (body: unknown, sending?: SendOptions) => Promise<HttpResponse>
  /** Asks for a stream, and checks its events if it begins. */
  readonly stream: (
    body: object,
    sending?: SendOptions & ResponsesEventsOptions
  ) => Promise<StreamedResponse>
  readonly findRecord: (id: unknown) => Promise<Generation | undefined>
}

interface StreamedResponse extends HttpResponse {
  readonly events: ReadonlyArray<Readonly<Record<string, unknown>>>
}

/** The model `proof/<dialect>` has one endpoint, `proof/all` has one of each dialect. It ends with the test. */
export const startResponsesServer = async ({
  host = nodeHost,
  instance: options = {},
  mount = "/deep/ai",
  price = { prompt: "0", completion: "0" },
  toUrl = (url) => Promise.resolve(url)
}: ResponsesServerOptions = {}): Promise<ResponsesServer> => {
  const [chat, messages, gemini, responses] = await Promise.all(
    providerDialects.map(() => ScriptedUpstream.start())
  )
  if (!chat || !messages || !gemini || !responses) throw new Error("a provider is missing")
  const providers = { chat, messages, gemini, responses }
  const endpoints = forEachDialect((provider) => ({
    provider,
    price,
    model: upstreamModels[provider]
  }))
  const urls = {
    chat: await toUrl(chat.url),
    messages: await toUrl(messages.url),
    gemini: await toUrl(gemini.url),
    responses: await toUrl(responses.url)
  }
  const instance = await Signalbox.make({
    ...makeTestStores(),
    ...options,
    upstreams: [
      openai({ ...toOptions("chat"), baseUrl: `${urls.chat}/v1` }),
      anthropic({ ...toOptions("messages"), baseUrl: urls.messages }),
      google({ ...toOptions("gemini"), baseUrl: `${urls.gemini}/v1beta` }),
      openai({ ...toOptions("responses"), baseUrl: `${urls.responses}/v1`, api: "responses" })
    ],
    models: [
      ...providerDialects.map((dialect) => ({
        id: `proof/${dialect}`,
        endpoints: [endpoints[dialect]]
      })),
      { id: "proof/all", endpoints: Object.values(endpoints) }
    ],
    keys: [{ key: memberKey, kind: "member", user: "mem-1" }]
  })
  const running = await host.start(instance, mount)
  onTestFinished(async () => {
    await running.close()
    await instance.close()
    await Promise.all(Object.values(providers).map((provider) => provider.close()))
  })
  const base = `${running.origin}${mount}/api/v1`

  const ask: ResponsesServer["ask"] = (body, { headers, ...sending } = {}) =>
    send(`${base}/responses`, {
      body: typeof body === "string" || body instanceof Uint8Array ? body : JSON.stringify(body),
      ...sending,
      headers: {
        "content-type": "application/json",
        authorization: `Bearer ${memberKey}`,
        ...headers
      }
    })

  return {
    instance,
    base,
    providers,
    ask,
    stream: async (body, { hosted = [], ...sending } = {}) => {
      const answer = await ask({ ...body, stream: true }, sending)
      if (answer.status !== 200) return { ...answer, events: [] }
      expect(checkResponsesEvents(answer.text, { hosted })).toEqual([])
      return { ...answer, events: parseEvents(answer.text) }
    },
    findRecord: (id) =>
      Effect.runPromise(
        Context.get(instance.context, GenerationStore).find(
          defaultAccountId,
          GenerationId.make(String(id))
        )
      )
  }
}

/** The JSON of the events, without `[DONE]`. */
const parseEvents = (text: string): StreamedResponse["events"] =>
  text.split("\n\n").flatMap((block) => {
    const [, data] = /^(?:event: [^\n]*\n)?data: (\{[^\n]*)$/.exec(block) ?? []
    return data === undefined ? [] : [JSON.parse(data)]
  })
