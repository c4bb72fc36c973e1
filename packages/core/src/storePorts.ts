/** Builds the stores of the options and reports missing ports. */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Scope from "effect/Scope"
import {
  buildLayer,
  isEffect,
  isLayer,
  withOptionName,
  type Platform,
  omitMemoMap
} from "./Pluggable.ts"
import { storePorts, type Stores } from "./domains.ts"
import type { OptionFailed } from "./values/errors/RequestErrors.ts"

/** The `stores` option: a layer, built services, or an effect that builds them. */
export type StoresOption =
  | Layer.Layer<Stores, unknown, Platform>
  | Context.Context<Stores>
  | Effect.Effect<Context.Context<Stores>, unknown, Platform | Scope.Scope>

/** Dies with a `RangeError` that names every missing port. */
export const layerStores = (given: StoresOption): Layer.Layer<Stores, OptionFailed, Platform> =>
  Layer.effectContext(
    Effect.tap(buildStores(given), (stores) => {
      const missing = storePorts.filter(({ key }) => !stores.mapUnsafe.has(key))
      return missing.length === 0
        ? Effect.void
        : Effect.die(
            new RangeError(
              `stores lacks ${missing.map(({ name }) => name).join(", ")}: combine yours with others by Layer.provideMerge(yours, memoryStores)`
            )
          )
    })
  )

const buildStores = (
  given: StoresOption
): Effect.Effect<Context.Context<Stores>, OptionFailed, Platform | Scope.Scope> => {
  if (isLayer<Stores>(given)) return buildLayer("stores", given)
  return Effect.map(
    isEffect<Context.Context<Stores>>(given)
      ? withOptionName("stores", given)
      : Effect.succeed(given),
    omitMemoMap
  )
}
