/** The flags of commands that print a report. */
import * as Flag from "effect/cli/Flag"

export const jsonFlag = Flag.Boolean("json").pipe(
  Flag.withDescription("Print JSON, for other programs"),
  Flag.withDefault(false)
)

export const htmlFlag = Flag.Path("html").pipe(
  Flag.withDescription("Also write one HTML page with plots to this file"),
  Flag.optional
)
