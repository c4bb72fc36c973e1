/** An instance whose two providers make embeddings and rerank; the first is tried first. */
import type { Options } from "@signalbox/core"
import { openai, rerank } from "@signalbox/openai"
import { Signalbox } from "@signalbox/node"
import { ScriptedUpstream, type Step } from "@signalbox/testing"
import { onTestFinished } from "vitest"
import { type Host, nodeHost } from "../support/hosts.ts"
import { send, type SendOptions } from "../support/send.ts"
import { keys } from "../support/TestServer.ts"

export interface EmbeddingServerOptions extends Pick<
  Options,
  "credentials" | "credits" | "responseCache" | "sealing" | "settings"
> {
  readonly host?: Host
  /** The most inputs that the first provider takes at once. */
  readonly maxEmbeddingInputs?: number
  /** What the first provider's endpoint supports; default: unknown. */
  readonly supportedParameters?: ReadonlyArray<string>
}

/** The price of a token of input in USD. */
const price = { prompt: "0.000001", completion: "0" }

export const startEmbeddingServer = async ({
  host = nodeHost,
  maxEmbeddingInputs,
  supportedParameters,
  ...options
}: EmbeddingServerOptions = {}) => {
  const first = await ScriptedUpstream.start()
  const second = await ScriptedUpstream.start()
  const endpoints = [
    {
      provider: "first",
      price,
      contextLength: 8_192,
      ...(supportedParameters === undefined ? undefined : { supportedParameters })
    },
    { provider: "second", price: { prompt: "0.000002", completion: "0" }, contextLength: 8_192 }
  ]
  const instance = await Signalbox.make({
    upstreams: [
      upstreamAt("first", first.url, maxEmbeddingInputs),
      upstreamAt("second", second.url)
    ],
    models: [
      {
        id: "proof/embed",
        card: { architecture: { input_modalities: ["text"], output_modalities: ["embeddings"] } },
        endpoints
      },
      {
        id: "proof/rank",
        card: { architecture: { input_modalities: ["text"], output_modalities: ["rerank"] } },
        endpoints
      },
      { id: "proof/chat", endpoints }
    ],
    keys: [
      { key: keys.member, kind: "member", user: "mem-1" },
      { key: keys.management, kind: "management" }
    ],
    ...options
  })
  const running = await host.start(instance, "/ai")
  onTestFinished(async () => {
    await running.close()
    await instance.close()
    await first.close()
    await second.close()
  })
  const root = `${running.origin}/ai`
  const call = (path: string, sending: SendOptions & { readonly key?: string } = {}) => {
    const { headers, key = keys.member, ...rest } = sending
    return send(`${root}/api/v1${path}`, {
      ...rest,
      headers: {
        "content-type": "application/json",
        ...(key === "" ? undefined : { authorization: `Bearer ${key}` }),
        ...headers
      }
    })
  }
  const post = (
    path: string,
    body: unknown,
    sending: SendOptions & { readonly key?: string } = {}
  ) => call(path, { body: JSON.stringify(body), ...sending })
  return {
    instance,
    root,
    first,
    second,
    /** Sets the step of both providers, for requests without an order. */
    always: (step: Step) => {
      first.always(step)
      second.always(step)
    },
    call,
    post,
    get: (path: string, key?: string) =>
      call(path, { method: "GET", ...(key === undefined ? undefined : { key }) }),
    embed: (changes: Readonly<Record<string, unknown>> = {}) =>
      post("/embeddings", { ...embeddingRequest, ...changes }),
    rank: (changes: Readonly<Record<string, unknown>> = {}) =>
      post("/rerank", { ...rerankRequest, ...changes })
  }
}

const order = { provider: { order: ["first", "second"] } }

export const embeddingRequest = {
  model: "proof/embed",
  input: ["Is the sea calm?", "wéll 🎬", "__proto__"],
  ...order
}

export const rerankRequest = {
  model: "proof/rank",
  query: "Is the sea calm?",
  documents: ["The wind is strong.", { text: "wéll 🎬" }, "It is calm."],
  ...order
}

/** Both capabilities of one provider. */
const upstreamAt = (slug: string, url: string, most?: number) => {
  const apiKey = `sk-at-upstream-${slug}`
  const baseUrl = `${url}/v1`
  return {
    ...openai({ slug, name: slug, baseUrl, apiKey, maxEmbeddingInputs: most }),
    rerank: rerank({ dialect: "jina", baseUrl, apiKey }).rerank!
  }
}
