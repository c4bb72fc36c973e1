/** Loads the configuration that `--config` names; default: the one in the current folder. */
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import type { IncomingMessage } from "node:http"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { Options } from "@signalbox/core"
import type * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { usageError } from "../usageError.ts"
import { checkConfig } from "./checkConfig.ts"
import type { ServerConfig } from "./Config.ts"
import { configNames, defaultConfigName } from "./configFlag.ts"
import { describeImportError } from "./describeImportError.ts"
import { findProblemLine } from "./findProblemLine.ts"

/** A configuration whose fields have the right names and kinds. */
export interface LoadedConfig {
  /** The absolute path of the file. */
  readonly path: string
  /** The options of `Signalbox.make`. */
  readonly options: Options<IncomingMessage>
  readonly server: ServerConfig
}

/** The default export of the configuration, unchecked, and the path of its file, which runs once per process. */
export const importConfig = Effect.fnUntraced(function* (
  flag: Option.Option<string>
): Effect.fn.Return<{ readonly path: string; readonly config: unknown }, CliError.UserError> {
  const path = yield* findConfig(flag)
  const module: object = yield* Effect.tryPromise({
    try: () => import(pathToFileURL(path).href),
    catch: (error) => usageError(describeImportError(path, error), error)
  })
  if (!("default" in module)) {
    return yield* usageError(
      `${path} has no default export. Write, for example:\n\n${exampleConfig}`
    )
  }
  return { path, config: module.default }
})

/** Fails with what is wrong, where, and what to do. */
export const loadConfig = Effect.fnUntraced(function* (
  flag: Option.Option<string>
): Effect.fn.Return<LoadedConfig, CliError.UserError> {
  const { config, path } = yield* importConfig(flag)
  return yield* Effect.try({
    try: () => {
      checkConfig(config)
      const { server = {}, ...options } = config
      return { path, options, server }
    },
    catch: (error) => toConfigError(path, error)
  })
})

/**
 * The failure for an error of `make` about the options in the configuration at `path`.
 */
export const toConfigError = (path: string, error: unknown): CliError.UserError => {
  const message = error instanceof Error ? error.message : String(error)
  const line = findProblemLine(readFileSync(path, "utf8"), message)
  return usageError(`${path}${line === undefined ? "" : `:${line}`}: ${message}`, error)
}

/** The absolute path of the file. */
export const findConfig = (
  flag: Option.Option<string>
): Effect.Effect<string, CliError.UserError> =>
  Effect.suspend(() => {
    const candidates = Option.match(flag, { onNone: () => configNames, onSome: (path) => [path] })
    const found = candidates.find((path) => existsSync(path) && statSync(path).isFile())
    if (found !== undefined) return Effect.succeed(realpathSync(found))
    return usageError(
      Option.isSome(flag)
        ? `There is no file ${resolve(flag.value)}: check --config`
        : `There is no ${defaultConfigName} in ${resolve(".")}: name it with --config FILE, run \`npx signalbox init\`, or write one, for example:\n\n${exampleConfig}`
    )
  })

const exampleConfig = `  import { defineConfig } from "@signalbox/cli"
  import { openai } from "@signalbox/openai"

  export default defineConfig({
    upstreams: [openai({ apiKey: process.env.OPENAI_API_KEY })],
    models: [{ id: "openai/gpt-5-mini", endpoints: [{ provider: "openai" }] }]
  })
`
