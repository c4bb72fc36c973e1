/** `signalbox keys`: the API keys of a running instance. */
import * as Command from "effect/cli/Command"
import { createKey } from "./createKey.ts"
import { disableKey } from "./disableKey.ts"
import { listKeys } from "./listKeys.ts"

export const keys = Command.make("keys").pipe(
  Command.withDescription("Create, list and disable API keys of a running instance."),
  Command.withSubcommands([createKey, listKeys, disableKey])
)
