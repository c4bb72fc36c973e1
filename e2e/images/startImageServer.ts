/** An instance whose two providers make images; the first is tried first. */
import type { ModelConfig, Options } from "@signalbox/core"
import { openai } from "@signalbox/openai"
import { Signalbox } from "@signalbox/node"
import { ScriptedUpstream, type Step } from "@signalbox/testing"
import { onTestFinished } from "vitest"
import { type Host, nodeHost } from "../support/hosts.ts"
import { send, type SendOptions } from "../support/send.ts"
import { keys } from "../support/TestServer.ts"

type Terms = NonNullable<NonNullable<ModelConfig["endpoints"]>[number]["images"]>

export interface ImageServerOptions extends Pick<
  Options,
  "authenticate" | "credentials" | "credits" | "sealing" | "settings" | "stores"
> {
  readonly host?: Host
  /** The address of the first provider, made of its own. */
  readonly toFirstUrl?: (url: string) => string | Promise<string>
  /** Whether the first provider has a certificate that nobody trusts. */
  readonly tls?: boolean
  /** What images cost at the first provider, and what it takes; default: 0.04 USD for each. */
  readonly first?: Terms
  /** The same of the second one; default: 0.05 USD. */
  readonly second?: Terms
}

const price = { prompt: "0", completion: "0" }

const perImage = (usd: string): Terms => ({
  prices: [{ billable: "output_image", unit: "image", usd }]
})

/** The model that both providers serve. */
export const model = "proof/paint"

export const startImageServer = async ({
  host = nodeHost,
  tls = false,
  toFirstUrl = (url) => url,
  first: firstTerms = perImage("0.04"),
  second: secondTerms = perImage("0.05"),
  ...options
}: ImageServerOptions = {}) => {
  const first = await ScriptedUpstream.start({ tls })
  const second = await ScriptedUpstream.start()
  const instance = await Signalbox.make({
    upstreams: [upstreamAt("first", await toFirstUrl(first.url)), upstreamAt("second", second.url)],
    models: [
      {
        id: model,
        card: {
          architecture: { input_modalities: ["text", "image"], output_modalities: ["image"] }
        },
        endpoints: [
          { provider: "first", model: "gpt-image-1", price, images: firstTerms },
          { provider: "second", model: "gpt-image-1", price, images: secondTerms }
        ]
      },
      { id: "proof/chat", endpoints: [{ provider: "first", price }] }
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
    /** Sets the step of both providers. */
    always: (step: Step) => {
      first.always(step)
      second.always(step)
    },
    call,
    post,
    get: (path: string, key?: string) =>
      call(path, { method: "GET", ...(key === undefined ? undefined : { key }) }),
    paint: (changes: Readonly<Record<string, unknown>> = {}) =>
      post("/images", { ...imageRequest, ...changes })
  }
}

const upstreamAt = (slug: string, url: string) =>
  openai({ slug, name: slug, baseUrl: `${url}/v1`, apiKey: `sk-at-upstream-${slug}` })

export const imageRequest = {
  model,
  prompt: "A lighthouse at night",
  provider: { order: ["first", "second"] }
}
