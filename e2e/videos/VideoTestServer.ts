/** A test server for video jobs: an instance in a host, with two scripted providers. */
import { createServer, type IncomingHttpHeaders } from "node:http"
import { text } from "node:stream/consumers"
import { setTimeout as sleep } from "node:timers/promises"
import type {
  EndpointConfig,
  ModelConfig,
  Options,
  SettingsShape,
  Signalbox as Instance
} from "@signalbox/core"
import type { Upstream } from "@signalbox/core/upstream"
import { Signalbox } from "@signalbox/node"
import { openrouter } from "@signalbox/openrouter"
import { ScriptedUpstream } from "@signalbox/testing"
import { listen } from "@signalbox/testing/contracts"
import { onTestFinished } from "vitest"
import { type HttpResponse, parseJson } from "../support/HttpResponse.ts"
import { type Host, nodeHost } from "../support/hosts.ts"
import { getProperty } from "../support/getProperty.ts"
import { makeTestStores, withWorkspace } from "../support/testStores.ts"

export const videoKeys = {
  member: "sk-proof-member-5e1f9c",
  other: "sk-proof-other-1b2c3d",
  management: "sk-proof-management-77ab02"
} as const

const otherWorkspace = "5f0c6c1e-6a5b-4f6e-9f0e-0123456789ab"

export interface VideoTestServerOptions {
  readonly host?: Host
  readonly mount?: string
  readonly settings?: Partial<SettingsShape>
  /** Overrides the configuration of both endpoints. */
  readonly endpoint?: Partial<EndpointConfig>
  readonly video?: ModelConfig["video"]
  /** Whether the providers deduplicate submits by idempotency key; default: yes. */
  readonly supportsIdempotencyKey?: boolean
  readonly upstream?: (upstream: Upstream) => Upstream
  readonly options?: Partial<Options>
}

export const capabilities = {
  supported_resolutions: ["480p", "720p"],
  supported_aspect_ratios: ["16:9", "9:16"],
  supported_sizes: ["1280x720", "720x1280"],
  supported_durations: [4, 8],
  supported_frame_images: ["first_frame"],
  generate_audio: true,
  seed: true,
  creativity: null,
  upscale_factor: null,
  allowed_passthrough_parameters: ["style"],
  supports_continuation: true,
  pricing_skus: { duration_seconds: "0.1" }
} satisfies ModelConfig["video"]

const videoRequest = (changes: Readonly<Record<string, unknown>> = {}) => ({
  model: "proof/film",
  prompt: "a tide pool at dusk",
  duration: 4,
  provider: { order: ["first", "second"] },
  ...changes
})

interface ReceivedWebhook {
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

const timeoutMillis = 120_000

export const startVideoTestServer = async (serverOptions: VideoTestServerOptions = {}) => {
  const {
    host = nodeHost,
    mount = "",
    supportsIdempotencyKey = true,
    upstream: dressed = (each) => each
  } = serverOptions
  const first = await ScriptedUpstream.start()
  const second = await ScriptedUpstream.start()
  const upstreamOf = (slug: string, { url }: ScriptedUpstream): Upstream => {
    const upstream = openrouter({
      slug,
      name: slug,
      baseUrl: url,
      apiKey: `sk-at-${slug}`,
      ...(supportsIdempotencyKey ? { idempotencyHeader: "idempotency-key" } : undefined)
    })
    const { videos } = upstream
    if (videos === undefined) throw new Error(`${slug} makes no videos`)
    return dressed({ ...upstream, videos: { ...videos, pollIntervalMillis: 5 } })
  }
  const { settings, ...options } = serverOptions.options ?? {}
  const instance: Instance = await Signalbox.make({
    upstreams: [upstreamOf("first", first), upstreamOf("second", second)],
    models: [
      {
        id: "proof/film",
        video: serverOptions.video ?? capabilities,
        endpoints: ["first", "second"].map((provider) => ({
          provider,
          price: {},
          ...serverOptions.endpoint
        })),
        card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } }
      },
      { id: "proof/words", endpoints: [{ provider: "first", price: {} }] }
    ],
    keys: [
      { key: videoKeys.member, kind: "member", user: "mem-1" },
      { key: videoKeys.other, kind: "organization", workspace: otherWorkspace },
      { key: videoKeys.management, kind: "management" }
    ],
    ...options,
    ...withWorkspace(otherWorkspace, { ...makeTestStores(), ...options }),
    settings: {
      allowPrivateNetworks: true,
      videoSweepMillis: 10,
      ...settings,
      ...serverOptions.settings
    }
  })
  const running = await host.start(instance, mount)
  onTestFinished(async () => {
    await running.close()
    await instance.close()
    await Promise.all([first.close(), second.close()])
  })
  const root = running.origin + mount

  const ask = async (
    method: string,
    path: string,
    {
      body,
      headers = {},
      key = videoKeys.member
    }: {
      readonly body?: unknown
      readonly headers?: Readonly<Record<string, string>>
      readonly key?: string
    } = {}
  ): Promise<HttpResponse> => {
    const response = await fetch(`${root}/api/v1${path}`, {
      method,
      headers: {
        ...(key === "" ? undefined : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? undefined : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined
        ? undefined
        : { body: typeof body === "string" ? body : JSON.stringify(body) })
    })
    const text = await response.text()
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      text,
      body: parseJson(text)
    }
  }

  const submit = (
    changes: Readonly<Record<string, unknown>> = {},
    sending: { readonly headers?: Readonly<Record<string, string>>; readonly key?: string } = {}
  ) => ask("POST", "/videos", { body: videoRequest(changes), ...sending })
  const poll = (id: string, key?: string) =>
    ask("GET", `/videos/${id}`, key === undefined ? {} : { key })
  /** Polls until the job has one of these statuses. */
  const until = async (id: string, ...states: ReadonlyArray<string>): Promise<unknown> => {
    const start = Date.now()
    for (;;) {
      const { body } = await poll(id)
      if (states.includes(String(getProperty(body, "status")))) return body
      if (Date.now() - start > timeoutMillis) {
        throw new Error(`${id} is still ${JSON.stringify(body)}`)
      }
      await sleep(10)
    }
  }
  return { instance, root, upstreams: { first, second }, ask, submit, poll, until }
}

export const getId = ({ body }: HttpResponse): string => String(getProperty(body, "id"))

export const terminalStatuses = ["completed", "failed", "cancelled", "expired"]

/** Starts a webhook receiver. */
export const startReceiver = async () => {
  const received: Array<ReceivedWebhook> = []
  const host = await listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ headers: request.headers, body: parseJson(body) })
        return response.writeHead(204).end()
      })
    })
  )
  onTestFinished(host.close)
  return { url: `${host.origin}/`, received }
}
