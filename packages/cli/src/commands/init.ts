/** `signalbox init`: writes a folder that works. */
import { relative, resolve } from "node:path"
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { describeFolder } from "../init/describeFolder.ts"
import { listFiles } from "../init/listFiles.ts"
import { writeNewFiles } from "../init/writeNewFiles.ts"
import { ProgramVersion } from "../ProgramVersion.ts"

export const init = Command.make(
  "init",
  {
    folder: Argument.String("folder").pipe(
      Argument.withDescription("Where to write; default: the current folder"),
      Argument.withDefault(".")
    ),
    host: Flag.Literals("host", ["standalone", "express"]).pipe(
      Flag.withDescription("What serves Signalbox: `signalbox serve`, or an Express application"),
      Flag.withDefault("standalone")
    ),
    provider: Flag.Literals("provider", ["openai", "anthropic", "google"]).pipe(
      Flag.withDescription("The provider of the first model"),
      Flag.withDefault("openai")
    )
  },
  Effect.fnUntraced(function* ({ folder, host, provider }) {
    const plan = { host, provider, version: yield* ProgramVersion }
    const written = yield* writeNewFiles(resolve(folder), listFiles(plan))
    yield* Console.log(describeFolder(plan, relative(".", folder), written))
  })
).pipe(
  Command.withDescription(
    "Write a configuration, a test and what else a folder needs to run Signalbox. Files that are there stay as they are."
  ),
  Command.withExamples([
    { command: "signalbox init my-router", description: "A folder for a server of its own" },
    {
      command: "signalbox init --host express",
      description: "An Express application in this folder"
    }
  ])
)
