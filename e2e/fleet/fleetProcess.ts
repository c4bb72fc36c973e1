/** A process of a fleet: an instance on the Postgres and the Redis that all processes share. */
// oxlint-disable-next-line import/no-unassigned-import -- it is imported for what it does, before anything reads a clock
import "./skewClock.ts"
import { Signalbox } from "@signalbox/node"
import { redisRateLimits } from "@signalbox/redis"
import { postgres } from "@signalbox/sql"
import * as Logger from "effect/Logger"
import { CrashTrigger } from "../crash/CrashTrigger.ts"
import { crashKeys, crashLimits, crashSettings } from "../crash/makeCrashInstance.ts"
import { serveUntilCrash } from "../crash/serveUntilCrash.ts"
import { native } from "../support/decisionMethods.ts"
import { type FleetProcessConfig, pacedKeys, pacedLimit } from "./FleetProcessConfig.ts"

// The process must not outlive a failed test.
process.once("disconnect", () => process.exit())

const { postgresUrl, recordsFirst, redisUrl, upstreams }: FleetProcessConfig = JSON.parse(
  process.argv[3] ?? "{}"
)
const providers = upstreams.map((url, at) => ({ url, slug: `provider-${at + 1}` }))

const instance = await Signalbox.make({
  upstreams: providers.map(({ slug, url }) =>
    native.makeUpstream(url, { slug, name: slug, apiKey: "sk-up" })
  ),
  models: [
    {
      id: "proof/model",
      endpoints: providers.map(({ slug }) => ({
        provider: slug,
        price: { prompt: "0", completion: "0", request: "0.01" }
      }))
    }
  ],
  keys: [
    { key: crashKeys.management, kind: "management" },
    { key: crashKeys.rich, kind: "member", user: "rich", limit: crashLimits.rich },
    { key: crashKeys.poor, kind: "member", user: "poor", limit: crashLimits.poor },
    ...pacedKeys.map((key) => ({ key, kind: "member" as const, user: key, rateLimit: pacedLimit }))
  ],
  credits: { default: "1000000" },
  stores: postgres({
    url: postgresUrl,
    maxConnections: 5,
    ...(recordsFirst ? { batchIntervalMillis: 0 } : undefined)
  }),
  rateLimits: redisRateLimits({ url: redisUrl }),
  // Longer than a busy machine may delay the process.
  settings: {
    ...crashSettings,
    rateLimitTimeoutMillis: 1_000,
    ...(recordsFirst ? { recordDelayMillis: 0 } : undefined)
  },
  telemetry: Logger.layer([])
})
await serveUntilCrash(instance, new CrashTrigger(), [])
