/** The options of a server with demo traffic: its models, its interns, and settings for little traffic. */
import type { Options } from "@signalbox/core"
import { makeDemoInternHost } from "./makeDemoInternHost.ts"
import { withTrafficModels } from "./trafficModels.ts"

export const withTraffic = (options: Options): Options => ({
  ...withTrafficModels(options),
  interns: { host: makeDemoInternHost(options.interns) },
  settings: {
    ...options.settings,
    // A request a second is too little for ten failures of one endpoint in a minute, and for a hundred attempts.
    breakerMinSamples: 4,
    breakerWindowMillis: 20_000,
    uptimeMinSamples: 20,
    // The second failure of a delivery is final, so that one soon waits for an operator.
    webhookRetryMillis: [60_000]
  }
})
