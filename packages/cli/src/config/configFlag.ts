/** The flag that names the configuration. */
import * as Flag from "effect/cli/Flag"

/** What messages call it. */
export const defaultConfigName = "signalbox.config.mts"

/** The first of them that is in the current folder is loaded. */
export const configNames = [
  // A module in every folder: whether .ts and .js are modules, the package.json of the folder says.
  "signalbox.config.mts",
  "signalbox.config.ts",
  "signalbox.config.mjs",
  "signalbox.config.js"
]

export const configFlag = Flag.Path("config").pipe(
  Flag.withDescription(
    `The configuration; default: ${configNames[0]} of the current folder, or .ts, .mjs or .js`
  ),
  Flag.withAlias("c"),
  Flag.optional
)
