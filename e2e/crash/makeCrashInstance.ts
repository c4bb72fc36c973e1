/** The instance of the crash tests, where a Decision costs one cent; the options choose the stores. */
import type { Options, SettingsShape } from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import * as Logger from "effect/Logger"
import { makeDecisionRequest } from "../support/TestServer.ts"
import { native } from "../support/decisionMethods.ts"

/** The price of a Decision, in nano-USD. */
export const price = 10_000_000n

export const crashSettings = {
  totalTimeoutMillis: 4_000,
  storeTimeoutMillis: 2_000,
  reservationLeaseMillis: 5_000,
  jobLeaseMillis: 2_000,
  jobLeaseRefreshMillis: 500,
  jobPollMillis: 200
} satisfies Partial<SettingsShape>

export const crashKeys = {
  management: "sk-crash-management",
  /** A key with a limit that no test reaches. */
  rich: "sk-crash-rich",
  /** A key with a limit of one dollar. */
  poor: "sk-crash-poor"
} as const

/** The limits of the keys, in USD. */
export const crashLimits = { rich: 100_000, poor: 1 } as const

export const crashRequest = JSON.stringify(makeDecisionRequest({ provider: {} }))

export const makeCrashInstance = (upstream: string, options: Partial<Options>) =>
  Signalbox.make({
    upstreams: [native.makeUpstream(upstream, { slug: "first", name: "First", apiKey: "sk-up" })],
    models: [
      {
        id: "proof/model",
        endpoints: [{ provider: "first", price: { prompt: "0", completion: "0", request: "0.01" } }]
      }
    ],
    keys: [
      { key: crashKeys.management, kind: "management" },
      { key: crashKeys.rich, kind: "member", user: "rich", limit: crashLimits.rich },
      { key: crashKeys.poor, kind: "member", user: "poor", limit: crashLimits.poor }
    ],
    credits: { default: "1000000" },
    settings: crashSettings,
    // The log would hold thousands of lines, as each rejection is logged with its cause.
    telemetry: Logger.layer([]),
    ...options
  })
