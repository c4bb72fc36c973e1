/** Runs the command line in this process, with the process's arguments, output and exit code. */
import { readFileSync } from "node:fs"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Command from "effect/cli/Command"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Runtime from "effect/Runtime"
import { layerPlainConsole } from "./output/plainConsole.ts"
import { ProgramVersion } from "./ProgramVersion.ts"
import { signalbox } from "./signalbox.ts"

/** `manifest` is the URL of the `package.json` whose version `--version` prints. */
export const runMain = (manifest: URL): void => {
  const { version }: { readonly version: string } = JSON.parse(readFileSync(manifest, "utf8"))
  const platform = Layer.provideMerge(
    Layer.mergeAll(TerminalCapabilities.layer, FetchHttpClient.layer, layerPlainConsole),
    Layer.merge(NodeServices.layer, Layer.succeed(ProgramVersion, version))
  )
  NodeRuntime.runMain(Effect.provide(Command.run(signalbox, { version }), platform), { teardown })
}

/** A signal ends a command with 130, unless the command has set another code, because it is meant to end so. */
const teardown: Runtime.Teardown = (exit, end) =>
  Exit.isFailure(exit) && Cause.hasInterruptsOnly(exit.cause) && process.exitCode !== undefined
    ? end(Number(process.exitCode))
    : Runtime.defaultTeardown(exit, end)
