/** Builds a separate router; in an Effect host, the ambient one would add these routes to the host's. */
import * as Effect from "effect/Effect"
import * as HttpRouter from "effect/http/HttpRouter"
import * as Layer from "effect/Layer"

export const buildIsolatedRouter = <A, E, R>(routes: Layer.Layer<A, E, R>) =>
  Effect.suspend(() =>
    Effect.provideService(
      HttpRouter.toHttpEffect(routes),
      Layer.CurrentMemoMap,
      Layer.makeMemoMapUnsafe()
    )
  )
