/** Processes on one channel, with the health and the pins of each. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as PubSub from "effect/PubSub"
import * as Stream from "effect/Stream"
import { Health } from "../../../src/engine/health/Health.ts"
import { layerSharedHealth } from "../../../src/engine/health/shareHealth.ts"
import { ProcessChannel, type ProcessMessage } from "../../../src/instance/ProcessChannel.ts"
import * as Settings from "../../../src/instance/Settings.ts"
import { AffinityPins } from "../../../src/routing/affinity/AffinityPins.ts"

export const startSharedProcesses = Effect.fnUntraced(function* (count: number) {
  const hub = yield* PubSub.unbounded<ProcessMessage>()
  return yield* Effect.forEach(Array.from({ length: count }), (_, index) => {
    const from = `process-${index}`
    return Effect.map(
      Layer.build(
        layerSharedHealth.pipe(
          Layer.provideMerge(Layer.merge(Health.layer, AffinityPins.layer)),
          Layer.provide(
            Layer.succeed(ProcessChannel, {
              publish: (text) => Effect.asVoid(PubSub.publish(hub, { from, text })),
              messages: Stream.filter(Stream.fromPubSub(hub), (message) => message.from !== from)
            })
          ),
          Layer.provide(Settings.layer({}))
        )
      ),
      (context) => ({
        health: Context.get(context, Health),
        pins: Context.get(context, AffinityPins)
      })
    )
  })
})
