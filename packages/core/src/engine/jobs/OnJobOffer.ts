/** A hook that runs when this process offers a step. */
import * as Context from "effect/Context"

/** Starts the workers that are started on demand; without any, it does nothing. */
export const OnJobOffer: Context.Reference<() => void> = Context.Reference(
  "@signalbox/core/jobs/OnJobOffer",
  { defaultValue: () => () => {} }
)
