/** Says where log lines go. */
import * as Context from "effect/Context"

/** Whether standard output is a terminal; set by the platform. Default: false. */
export const IsTerminal: Context.Reference<boolean> = Context.Reference(
  "@signalbox/core/engine/observability/logging/IsTerminal",
  { defaultValue: () => false }
)
