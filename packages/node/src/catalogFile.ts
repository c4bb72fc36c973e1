/** Reads models from a file, and stores the last valid catalog in another. */
import { basename } from "node:path"
import type { CatalogSource, LastGoodStore, ModelListOptions } from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"

/** The upstream of the models, and how often the file is read. */
export interface CatalogFileOptions extends ModelListOptions {
  /** Milliseconds between two reads. By default only the start and `signalbox.refresh()` read the file. */
  readonly refreshMillis?: number
  /** Whether a file without models may replace models; default: false, and such a file counts as a failed read. */
  readonly allowEmpty?: boolean
}

/**
 * Reads the models of a JSON file in the format of `GET /models`.
 *
 * ```ts
 * const models = catalogFile("models.json", { servedBy: { provider: "openai" }, refreshMillis: 60_000 })
 * ```
 */
export const catalogFile = (
  path: string,
  { allowEmpty = false, refreshMillis, ...wire }: CatalogFileOptions = {}
): CatalogSource => {
  const name = `file ${basename(path)}`
  return {
    name,
    allowEmpty,
    ...(refreshMillis === undefined ? undefined : { refreshMillis }),
    load: Effect.flatMap(loadFiles, ({ readCatalog }) => readCatalog(name, path, wire))
  }
}

/** Stores the last valid catalog in a file, which it replaces atomically. Creates the folder if it is missing. */
export const lastGoodFile = (path: string): LastGoodStore => {
  const source = `copy ${basename(path)}`
  return {
    read: Effect.flatMap(loadFiles, ({ readModels }) => readModels(source, path)),
    write: (models) =>
      Effect.flatMap(loadFiles, ({ writeModels }) => writeModels(source, path, models))
  }
}

/** Loaded with the first file, since most applications have none. */
const loadFiles = Effect.promise(() => import("./modelFiles.ts"))
