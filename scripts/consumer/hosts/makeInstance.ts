/**
 * The instance that the programs share: a model on two upstreams, one of which always fails, and a model of the AI SDK
 * behind upstreams that always fail.
 */
import { fromAiSdk } from "@signalbox/ai-sdk"
import { anthropic } from "@signalbox/anthropic"
import { bedrock } from "@signalbox/bedrock"
import { google } from "@signalbox/google"
import { Signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"
import { redisRateLimits } from "@signalbox/redis"
import { ScriptedUpstream } from "@signalbox/testing"
import { hall } from "./hall.ts"

export const key = "sk-consumer"
export const model = "author/judge"
export const writer = "author/writer"

export interface Consumer extends AsyncDisposable {
  readonly instance: Signalbox
  readonly upstream: ScriptedUpstream
}

export const makeInstance = async (): Promise<Consumer> => {
  const upstream = await ScriptedUpstream.start()
  const nobody = await ScriptedUpstream.reserveRefusingUrl()
  const price = { prompt: "0.000001", completion: "0" }
  const instance = await Signalbox.make({
    upstreams: [
      anthropic({ baseUrl: nobody }),
      bedrock({ region: "us-east-1", apiKey: key, baseUrl: nobody }),
      google({ baseUrl: nobody }),
      fromAiSdk(hall, { slug: "hall" }),
      openai({ slug: "down", baseUrl: `${nobody}/v1` }),
      openrouter({ slug: "up", name: "Up", baseUrl: upstream.url })
    ],
    models: [
      {
        id: model,
        endpoints: [
          { provider: "down", price },
          { provider: "up", price }
        ]
      },
      {
        id: writer,
        endpoints: ["anthropic", "amazon-bedrock", "google-ai-studio", "hall"].map((provider) => ({
          provider,
          price
        }))
      }
    ],
    keys: [{ key, kind: "member", user: "consumer" }],
    // Redis is not there, so each process counts its own requests.
    rateLimits: redisRateLimits({ url: nobody.replace("http:", "redis:") }),
    settings: { rateLimit: { requests: 1_000, windowMillis: 60_000 } }
  })
  return {
    instance,
    upstream,
    [Symbol.asyncDispose]: async () => {
      await instance.close()
      await upstream[Symbol.asyncDispose]()
    }
  }
}
