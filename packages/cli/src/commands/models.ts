/** `signalbox models`: catalogs of models. */
import * as Command from "effect/cli/Command"
import { diffModels } from "./diffModels.ts"
import { importModels } from "./importModels.ts"

export const models = Command.make("models").pipe(
  Command.withDescription("Import and compare catalogs of models."),
  Command.withSubcommands([importModels, diffModels])
)
