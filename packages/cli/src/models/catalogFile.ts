/** A file of models for the option `models`: JSON, or a module that exports `models`. */
import { readFile, writeFile } from "node:fs/promises"
import { resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { ModelConfig } from "@signalbox/core/catalog"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { usageError } from "../usageError.ts"

const modulePattern = /\.[cm]?[jt]s$/
const typedPattern = /\.m?ts$/
const writablePattern = /\.(json|m?[jt]s)$/

/** Undefined when the path has the ending of such a file. */
export const findPathProblem = (path: string): string | undefined =>
  writablePattern.test(path)
    ? undefined
    : `${path} has none of the endings .json, .ts, .mts, .js and .mjs, which choose the format`

/** `source` is where the models are from, for the comment of a module. */
export const renderCatalog = (
  path: string,
  models: ReadonlyArray<ModelConfig>,
  source: string
): string => {
  const json = JSON.stringify(models, null, 2)
  if (!modulePattern.test(path)) return `${json}\n`
  // An address must not end the comment.
  const comment = `/** Models of ${source.replaceAll("*/", "")}, written by \`signalbox models import\`. */`
  return typedPattern.test(path)
    ? `${comment}\nimport type { ModelConfig } from "@signalbox/core"\n\nexport const models: ReadonlyArray<ModelConfig> = ${json}\n`
    : `${comment}\nexport const models = ${json}\n`
}

/** Fails when the file is there and must stay, before long work for nothing. */
export const checkAbsent = Effect.fnUntraced(function* (path: string) {
  const files = yield* FileSystem.FileSystem
  const isThere = yield* Effect.orElseSucceed(files.exists(path), () => false)
  if (isThere) return yield* usageError(describePresent(path))
})

const describePresent = (path: string): string =>
  `${path} is there already: name another file, or replace it with --force`

/** Replaces an existing file only with `force`. */
export const writeCatalog = (path: string, text: string, force: boolean) =>
  Effect.tryPromise({
    try: () => writeFile(path, text, { flag: force ? "w" : "wx" }),
    catch: (error) =>
      usageError(
        error instanceof Error && "code" in error && error.code === "EEXIST"
          ? describePresent(path)
          : `Could not write ${path}: ${toMessage(error)}. Is its folder there?`,
        error
      )
  })

/** What a file holds: parsed JSON, or the `models` or the default of a module, which is run. */
export const readCatalogFile = (path: string) =>
  Effect.tryPromise({
    try: async (): Promise<unknown> => {
      if (!modulePattern.test(path)) return JSON.parse(await readFile(path, "utf8"))
      const module: Readonly<Record<string, unknown>> = await import(
        pathToFileURL(resolve(path)).href
      )
      return module["models"] ?? module["default"]
    },
    catch: (error) =>
      usageError(
        error instanceof SyntaxError
          ? `${path} is not valid: ${error.message}`
          : `Could not read ${path}: ${toMessage(error)}`,
        error
      )
  })

const toMessage = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
