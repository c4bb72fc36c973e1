/** An instance whose providers serve every operation besides chats: OpenAI's APIs and a reranker, and OpenRouter's. */
import { openai, rerank } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import { Signalbox } from "@signalbox/node"
import { ScriptedUpstream } from "@signalbox/testing"
import { vi } from "vitest"
import { getProperty } from "../support/getProperty.ts"
import { nodeHost } from "../support/hosts.ts"
import { recordLogs } from "../support/recordTelemetry.ts"
import { send } from "../support/send.ts"
import { makeTestStores } from "../support/testStores.ts"

export const operationProviders = ["openai", "openrouter"] as const
export type OperationProvider = (typeof operationProviders)[number]

const key = "sk-operations-member-41c7"
const price = { prompt: "0", completion: "0" }

/** It may take everything. */
const unknownVideo = {
  supported_resolutions: null,
  supported_aspect_ratios: null,
  supported_sizes: null,
  supported_durations: null,
  supported_frame_images: null,
  generate_audio: null,
  seed: null,
  creativity: null,
  upscale_factor: null,
  allowed_passthrough_parameters: []
}

const named = (slug: string) => ({ slug, name: slug, apiKey: `sk-host-${slug}-7f3a90` })

export const startOperations = async () => {
  const upstream = await ScriptedUpstream.start({ quirks: false })
  const { url } = upstream
  const own = openai({ ...named("openai"), baseUrl: `${url}/v1` })
  const ranker = rerank({ dialect: "jina", baseUrl: `${url}/v1`, apiKey: "sk-host-rank-7f3a90" })
  const instance = await Signalbox.make({
    ...makeTestStores(),
    upstreams: [
      { ...own, ...(ranker.rerank === undefined ? undefined : { rerank: ranker.rerank }) },
      openrouter({ ...named("openrouter"), baseUrl: url })
    ],
    models: operationProviders.flatMap((provider) => {
      const model = (
        kind: string,
        output: "embeddings" | "image" | "rerank" | "text" | "video",
        more = {}
      ) => ({
        id: `${kind}/${provider}`,
        card: {
          architecture: { input_modalities: ["text", "image"], output_modalities: [output] }
        },
        endpoints: [{ provider, price, ...more }]
      })
      return [
        model("embed", "embeddings"),
        model("rank", "rerank"),
        model("paint", "image", {
          model: "gpt-image-1",
          images: { prices: [{ billable: "output_image", unit: "image", usd: "0" }] }
        }),
        {
          id: `speak/${provider}`,
          endpoints: [{ provider, price: { character: "0" }, speech: { voiceCloning: true } }]
        },
        { id: `listen/${provider}`, endpoints: [{ provider, price: { second: "0" } }] },
        model("decide", "text"),
        { ...model("film", "video"), video: unknownVideo }
      ]
    }),
    keys: [{ key, kind: "member", user: "mem-1" }],
    settings: { allowPrivateNetworks: true, maxActiveVideoJobs: 100_000 },
    telemetry: recordLogs([])
  })
  const host = await nodeHost.start(instance, "")
  /** Videos are submitted in the background, where the package of a provider may refuse one. */
  const isRefusedLater = async (
    job: unknown,
    listSent: () => ReadonlyArray<unknown>
  ): Promise<boolean> => {
    const url = `${host.origin}/api/v1/videos/${String(getProperty(job, "id"))}`
    await vi.waitUntil(
      async () => {
        if (listSent().length > 0) return true
        const { body } = await send(url, {
          method: "GET",
          headers: { authorization: `Bearer ${key}` }
        })
        return getProperty(body, "status") === "failed"
      },
      { interval: 10, timeout: 60_000 }
    )
    return listSent().length === 0
  }
  return {
    /** What the record says that the last provider was not sent. */
    readDropped: async (id: string): Promise<ReadonlyArray<string>> => {
      const { data } = await instance.generations.getRecord({ id })
      return data.attempts.at(-1)?.dropped_parameters ?? []
    },
    ask: async (path: string, body: object, isStrict = false) => {
      const before = upstream.requests.length
      const answer = await send(`${host.origin}${path}`, {
        body: JSON.stringify(body),
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          "x-signalbox-strict": String(isStrict)
        }
      })
      const listSent = () =>
        upstream.requests.slice(before).filter(({ method }) => method === "POST")
      const isAccepted = path.endsWith("/videos") && answer.status < 400
      const isRefused = isAccepted && (await isRefusedLater(answer.body, listSent))
      return {
        status: isRefused ? 400 : answer.status,
        text: answer.text,
        id: answer.headers["x-generation-id"],
        told: answer.headers["x-signalbox-ignored"]?.split(", ") ?? [],
        // Without the random words between the fields of a form.
        sent: listSent().map(({ raw }) => raw.replaceAll(/-{2,}[-\w]+/g, "--"))
      }
    },
    [Symbol.asyncDispose]: async () => {
      await host.close()
      await instance.close()
      await upstream.close()
    }
  }
}
