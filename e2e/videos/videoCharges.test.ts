/** What videos cost when their provider says little, over HTTP. */
import { createServer } from "node:http"
import { text } from "node:stream/consumers"
import type { EndpointConfig, ModelConfig, Options } from "@signalbox/core"
import { VideoJobId, VideoStore } from "@signalbox/core/stores"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import { listen } from "@signalbox/testing/contracts"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Logger from "effect/Logger"
import { describe, expect, onTestFinished, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { nodeHost } from "../support/hosts.ts"

interface Received {
  readonly method: string
  readonly path: string
  readonly text: string
}

/** A provider of OpenAI's or OpenRouter's videos API that reports neither seconds nor a cost. */
const startProvider = async (statusOf: (received: ReadonlyArray<Received>) => string) => {
  const received: Array<Received> = []
  const host = await listen(
    createServer((request, response) => {
      void text(request).then((body) => {
        received.push({ method: request.method ?? "", path: request.url ?? "", text: body })
        const status = request.method === "POST" ? "queued" : statusOf(received)
        return response
          .writeHead(request.method === "DELETE" ? 409 : 200, {
            "content-type": "application/json"
          })
          .end(JSON.stringify({ id: "video_1", object: "video", status }))
      })
    })
  )
  onTestFinished(host.close)
  return { url: host.origin, received }
}

const collectWarnings = () => {
  const warnings: Array<string> = []
  const logger = Logger.make(({ logLevel, message }) => {
    if (logLevel === "Warn") warnings.push(String(message))
  })
  return { warnings, telemetry: Logger.layer([logger]) }
}

const capabilities = {
  supported_resolutions: ["1080p", "720p"],
  supported_aspect_ratios: null,
  supported_sizes: null,
  supported_durations: [4, 8, 12],
  supported_frame_images: null,
  generate_audio: true,
  seed: null,
  creativity: null,
  upscale_factor: null,
  allowed_passthrough_parameters: ["seconds", "size"],
  pricing_skus: { duration_seconds: "0.1" }
} satisfies ModelConfig["video"]

const startInstance = async (
  url: string,
  videoPrice: EndpointConfig["videoPrice"],
  { settings, ...options }: Partial<Options> = {},
  api: "openai" | "openrouter" = "openai"
) => {
  const upstream = { slug: "film", name: "Film", baseUrl: url, apiKey: "sk-film" }
  const instance = await Signalbox.make({
    upstreams: [api === "openai" ? openai(upstream) : openrouter(upstream)],
    models: [
      {
        id: "film/reel",
        video: capabilities,
        card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
        endpoints: [{ provider: "film", price: {}, ...(videoPrice && { videoPrice }) }]
      }
    ],
    keys: [
      { key: "sk-member", kind: "member", user: "mem-1" },
      { key: "sk-management", kind: "management" }
    ],
    credits: { default: "100" },
    ...options,
    settings: { videoSweepMillis: 10, videoPollMillis: 10, ...settings }
  })
  const running = await nodeHost.start(instance, "")
  onTestFinished(async () => {
    await running.close()
    await instance.close()
  })
  const ask = async (path: string, key: string, body?: object): Promise<unknown> => {
    const response = await fetch(`${running.origin}/api/v1${path}`, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body === undefined ? undefined : { body: JSON.stringify(body) })
    })
    return response.json()
  }
  const store = Context.get(instance.context, VideoStore)
  /** Moves the deadline of a job to now, when a provider has accepted it. */
  const passDeadline = (id: string) =>
    expect
      .poll(() =>
        Effect.runPromise(
          Effect.gen(function* () {
            const job = yield* store.find(VideoJobId.make(id))
            if (job?.assignment === undefined) return false
            const passed = { ...job, version: job.version + 1, deadlineAt: Date.now(), dueAt: 0 }
            return yield* store.replace(job.version, passed)
          })
        )
      )
      .toBe(true)
  return {
    /** The job at its end, which is its deadline if that passes once a provider has accepted it. */
    make: async (request: object = {}, { deadlinePasses = false } = {}) => {
      const submitted = await ask("/videos", "sk-member", {
        model: "film/reel",
        prompt: "a tide pool",
        ...request
      })
      const id = String(getProperty(submitted, "id"))
      if (deadlinePasses) await passDeadline(id)
      let job: unknown
      await expect
        .poll(async () => {
          job = await ask(`/videos/${id}`, "sk-member")
          return getProperty(job, "generation_id")
        })
        .toBe(id)
      return job
    },
    spent: async () =>
      getProperty(getProperty(await ask("/credits", "sk-management"), "data"), "total_usage"),
    recordOf: async (id: unknown) =>
      getProperty(await ask(`/generation?id=${String(id)}`, "sk-member"), "data")
  }
}

const fieldOf = (form: string, name: string) =>
  new RegExp(`name="${name}"\r\n\r\n([^\r]*)`).exec(form)?.[1]

describe("a video without a duration, of a provider that reports no seconds", () => {
  const bySize = {
    duration_seconds_720p: "0.1",
    duration_seconds_1080p: "0.3"
  }
  const byAudio = { duration_seconds_with_audio: "0.2", duration_seconds_without_audio: "0.1" }
  test.each([
    ["has the length that is charged", {}, undefined, "12", undefined, 1.2],
    ["has the length that the caller says", { duration: 4 }, undefined, "4", undefined, 0.4],
    [
      "has the length of the caller's own option",
      { provider: { options: { film: { seconds: "8" } } } },
      undefined,
      "8",
      undefined,
      0.8
    ],
    ["has the size that is charged", {}, bySize, "12", "1280x720", 1.2],
    [
      "has the size of the caller's own option",
      { duration: 4, provider: { options: { film: { size: "1920x1080" } } } },
      bySize,
      "4",
      "1920x1080",
      1.2
    ],
    [
      "is charged for the sound that it has, which the API cannot refuse",
      { duration: 4, generate_audio: false },
      byAudio,
      "4",
      undefined,
      0.8
    ]
  ])("%s", async (_, request, price, seconds, size, cost) => {
    const { received, url } = await startProvider(() => "completed")
    const { make, spent } = await startInstance(url, price)
    expect(await make(request)).toMatchObject({ status: "completed", usage: { cost } })
    expect(fieldOf(received[0]?.text ?? "", "seconds")).toBe(seconds)
    expect(fieldOf(received[0]?.text ?? "", "size")).toBe(size)
    expect(await spent()).toBe(cost)
  })

  test("has the length that is charged at a server of OpenRouter's API", async () => {
    const { received, url } = await startProvider(() => "completed")
    const { make, spent } = await startInstance(url, bySize, {}, "openrouter")
    await make()
    expect(JSON.parse(received[0]?.text ?? "")).toMatchObject({ duration: 12, resolution: "720p" })
    expect(await spent()).toBe(1.2)
  })
})

describe("a video job that reaches its deadline", () => {
  test.each(["openai", "openrouter"] as const)(
    "is deleted at its provider where that can be, charged, and warned of once (%s)",
    async (api) => {
      const { received, url } = await startProvider(() => "in_progress")
      const { telemetry, warnings } = collectWarnings()
      const { make, recordOf, spent } = await startInstance(url, undefined, { telemetry }, api)
      const job = await make({ duration: 4 }, { deadlinePasses: true })
      expect(job).toMatchObject({
        status: "expired",
        error: "Job exceeded maximum time to live",
        usage: { cost: 0.4, is_byok: false }
      })
      expect(received.filter(({ method }) => method === "DELETE").map(({ path }) => path)).toEqual(
        api === "openai" ? ["/videos/video_1"] : []
      )
      expect(await spent()).toBe(0.4)
      expect(await recordOf(getProperty(job, "id"))).toMatchObject({ total_cost: 0.4 })
      expect(warnings.filter((each) => each.includes("reached its deadline"))).toHaveLength(1)
    }
  )

  test("is completed if it was finished when its provider refused to delete it", async () => {
    const { url } = await startProvider((received) =>
      received.some(({ method }) => method === "DELETE") ? "completed" : "in_progress"
    )
    const { make, spent } = await startInstance(url, undefined)
    expect(await make({ duration: 4 }, { deadlinePasses: true })).toMatchObject({
      status: "completed"
    })
    expect(await spent()).toBe(0.4)
  })
})
