/** An instance on Node as a layer, for Effect hosts. */
import { layer as makeLayer, type Options, type Services } from "@signalbox/core/adapter"
import type { OptionFailed } from "@signalbox/core"
import * as Layer from "effect/Layer"
import { platform } from "./platform.ts"

/**
 * Every service of an instance, with its workers, and with the HTTP clients and the digest of Node. Dies with a
 * `RangeError` that says what to correct when options are invalid. `layer` of `@signalbox/core` takes the HTTP client of the
 * host instead.
 *
 * ```ts
 * const signalbox = layer({ upstreams, models })
 * chat({ model, messages }).pipe(Effect.provide(signalbox))
 * ```
 */
export const layer = (options: Options<object>): Layer.Layer<Services, OptionFailed> =>
  Layer.provide(
    makeLayer(options),
    Layer.suspend(() => platform(options.settings))
  )
