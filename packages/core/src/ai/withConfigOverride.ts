/** Settings of a model for one call. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import { dual } from "effect/Function"

/** Overrides the settings of a layer for the effect. An inner override wins, field by field. */
export interface WithConfigOverride<Config, Settings> {
  (
    overrides: Settings
  ): <A, E, R>(self: Effect.Effect<A, E, R>) => Effect.Effect<A, E, Exclude<R, Config>>
  <A, E, R>(
    self: Effect.Effect<A, E, R>,
    overrides: Settings
  ): Effect.Effect<A, E, Exclude<R, Config>>
}

export const makeWithConfigOverride = <Config, Settings extends object>(
  config: Context.Key<Config, Settings>
): WithConfigOverride<Config, Settings> =>
  dual(2, <A, E, R>(self: Effect.Effect<A, E, R>, overrides: Settings) =>
    Effect.contextWith((context: Context.Context<never>) =>
      Effect.provideService(self, config, {
        ...Context.getOrUndefined(context, config),
        ...overrides
      })
    )
  )
