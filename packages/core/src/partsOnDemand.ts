/** The parts of an instance whose code is loaded only where its options, or what happens to it, ask for them. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import { Health } from "./engine/health/Health.ts"
import type { Options } from "./Options.ts"
import { buildOnDemand, loadLayer } from "./values/layerOnDemand.ts"

/** Builds the layer when `trigger.run` is called, which is no sooner than this one is built. */
export const runOnDemand = <R>(
  trigger: Trigger,
  load: () => Promise<Layer.Layer<never, never, R>>
): Layer.Layer<never, never, R> =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const start = yield* buildOnDemand(load)
      const run = Effect.runForkWith(yield* Effect.context())
      trigger.run = () => {
        const started = start()
        if (!Exit.isExit(started)) run(Effect.ignoreCause(started, { log: "Error" }))
      }
    })
  )

export interface Trigger {
  run?: () => void
}

export const hasInitialRecords = ({ accounts, credentials, credits, keys }: Options): boolean =>
  [accounts, credentials, credits, keys].some((option) => option !== undefined)

export const loadInitialRecords = (options: Options) =>
  loadLayer(async () => (await import("./initialRecords.ts")).layerInitialRecords(options))

export const loadSharedHealth = loadLayer(
  async () => (await import("./engine/health/shareHealth.ts")).layerSharedHealth
)

export const loadFleet = ({ rateLimits }: Options) =>
  loadLayer(async () =>
    (await import("./domains/fleet/layerFleet.ts")).layerFleet({
      hasSharedLimits: rateLimits !== undefined
    })
  )

/** Nothing is loaded before an endpoint fails. */
export const incidentWatch = Layer.unwrap(
  Health.useSync(({ trouble }) =>
    runOnDemand(
      trouble,
      async () => (await import("./domains/incidents/layerIncidentWatch.ts")).layerIncidentWatch
    )
  )
)

export const loadTrafficControls = loadLayer(
  async () => (await import("./engine/health/control/followControls.ts")).layerTrafficControls
)

export const loadContentSink = Effect.flatten(
  Effect.promise(async () => (await import("./domains/content/makeContentSink.ts")).makeContentSink)
)

/** Throws a `RangeError` that names the experiment at fault. */
export const loadExperiments = (options: Options) =>
  loadLayer(async () => (await import("./resolveExperiments.ts")).layerHostExperiments(options))

export const hasExperiments = ({ experiments }: Options): boolean =>
  experiments !== undefined && experiments.length > 0

/** Without it, nothing is remembered or watched. */
export const loadAlertConfig = (options: Options) =>
  loadLayer(async () => (await import("./resolveAlerts.ts")).layerAlertConfig(options))

export const loadResponseCacheRules = (options: Options) =>
  loadLayer(async () =>
    (await import("./resolveResponseCache.ts")).layerResponseCacheRules(options)
  )

export const loadResponseCacheStore = (options: Options) =>
  loadLayer(async () =>
    (await import("./resolveResponseCache.ts")).layerResponseCacheStore(options)
  )

export const loadContentChecks = ({ contentChecks = {} }: Options) =>
  loadLayer(async () =>
    (await import("./resolveContentChecks.ts")).layerContentChecks(contentChecks)
  )

export const loadAskingChecks = ({ contentChecks = {}, models }: Options) =>
  loadLayer(async () =>
    (await import("./resolveContentChecks.ts")).layerAskingChecks(contentChecks, models)
  )

/** The presets of the options, whose checks few hosts need. */
export const loadHostPresets = (options: Options) =>
  loadLayer(async () => (await import("./resolvePresets.ts")).layerHostPresets(options))

export const loadPresetChecks = (options: Options) =>
  loadLayer(async () => (await import("./resolvePresets.ts")).layerPresetChecks(options))
