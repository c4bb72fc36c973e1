/** The flag that names the configuration. */
import * as Flag from "effect/cli/Flag"

/** The first of them that is in the current folder is loaded. */
export const configNames = ["signalbox.config.ts", "signalbox.config.js", "signalbox.config.mjs"]

export const configFlag = Flag.Path("config").pipe(
  Flag.withDescription(
    `The configuration; default: ${configNames[0]} of the current folder, or .js, or .mjs`
  ),
  Flag.withAlias("c"),
  Flag.optional
)
