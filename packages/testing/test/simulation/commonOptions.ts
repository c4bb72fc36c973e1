/** What the instances of a simulated world are made with. */
import type { Options } from "@signalbox/core/adapter"
import { price } from "./Provider.ts"
import { tenantOptions } from "./Tenant.ts"
import { videoPrice } from "./VideoStudio.ts"

/** The longest that a request takes, with these settings, in milliseconds. */
export const maxRequestMillis = 30_000
export const reservationLeaseMillis = 20_000

const commonOptions: Omit<Options, "stores" | "upstreams"> = {
  ...tenantOptions,
  models: [
    {
      id: "sim/chat",
      endpoints: ["acme", "globex"].map((provider) => ({
        provider,
        price,
        contextLength: 100_000
      }))
    },
    {
      id: "sim/free",
      endpoints: [
        { provider: "acme", price: { prompt: "0", completion: "0" }, contextLength: 100_000 }
      ]
    },
    {
      id: "sim/film",
      card: { architecture: { input_modalities: ["text"], output_modalities: ["video"] } },
      endpoints: ["acme", "globex"].map((provider) => ({
        provider,
        price: { prompt: "0", completion: "0" },
        videoPrice
      }))
    }
  ],
  settings: {
    totalTimeoutMillis: 10_000,
    chatTimeoutMillis: 10_000,
    headersTimeoutMillis: 4_000,
    bodyTimeoutMillis: 4_000,
    firstEventTimeoutMillis: 4_000,
    streamIdleTimeoutMillis: 4_000,
    streamTimeoutMillis: 20_000,
    reservationLeaseMillis,
    videoSweepMillis: 5_000,
    videoPollMillis: 2_000,
    maxVideoPollMillis: 10_000,
    webhookConcurrency: 4,
    videoConcurrency: 2
  }
}

/** What the instances of some worlds are made with besides. */
export type FurtherOptions = Pick<
  Options,
  "credentials" | "interns" | "keys" | "sealing" | "settings"
>

export const makeOptions = (further: ReadonlyArray<FurtherOptions>): typeof commonOptions =>
  further.reduce(addOptions, commonOptions)

const addOptions = (options: typeof commonOptions, more: FurtherOptions): typeof commonOptions => ({
  ...options,
  ...more,
  keys: [...(options.keys ?? []), ...(more.keys ?? [])],
  settings: { ...options.settings, ...more.settings }
})
