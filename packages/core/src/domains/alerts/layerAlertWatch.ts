/** Watches limits and providers for a host with `alerts`, until the instance is closed. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { CurrentSettledLimits } from "../../engine/ledger/SettledLimits.ts"
import { CurrentAlertConfig } from "./AlertOptions.ts"
import { makeHealthWatch } from "./makeHealthWatch.ts"
import { makeLimitWatch } from "./makeLimitWatch.ts"

export const layerAlertWatch = Layer.effectDiscard(
  Effect.gen(function* () {
    const config = yield* CurrentAlertConfig
    const settledLimits = yield* CurrentSettledLimits
    if (config === undefined || settledLimits === undefined) return
    yield* makeLimitWatch(config, settledLimits)
    yield* makeHealthWatch(config)
  })
)
