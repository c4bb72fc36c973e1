/** The version of the program. */
import * as Context from "effect/Context"

/** That of `@signalbox/cli`, set where the program starts. */
export const ProgramVersion: Context.Reference<string> = Context.Reference(
  "@signalbox/cli/ProgramVersion",
  { defaultValue: () => "0.0.0" }
)
