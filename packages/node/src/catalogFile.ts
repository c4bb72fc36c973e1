/** Reads models from a file, and stores the last valid catalog in another. */
import { randomUUID } from "node:crypto"
import { mkdir, readFile, rename, writeFile } from "node:fs/promises"
import { basename, dirname } from "node:path"
import {
  type LastGoodStore,
  type CatalogSource,
  CatalogUnavailable,
  parseModelList,
  type ModelListOptions
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"

/** The upstream of the models, and how often the file is read. */
export interface CatalogFileOptions extends ModelListOptions {
  /** Milliseconds between two reads. By default only the start and `signalbox.refresh()` read the file. */
  readonly refreshMillis?: number
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
  { refreshMillis, ...wire }: CatalogFileOptions = {}
): CatalogSource => {
  const name = `file ${basename(path)}`
  return {
    name,
    ...(refreshMillis === undefined ? undefined : { refreshMillis }),
    load: Effect.flatMap(readModels(name, path), (json) =>
      Effect.try({
        try: () => parseModelList(json, wire),
        catch: (cause) =>
          new CatalogUnavailable({
            source: name,
            problem: cause instanceof Error ? cause.message : String(cause)
          })
      })
    )
  }
}

/** Stores the last valid catalog in a file, which it replaces atomically. Creates the folder if it is missing. */
export const lastGoodFile = (path: string): LastGoodStore => {
  const source = `copy ${basename(path)}`
  return {
    read: readModels(source, path),
    write: (models) =>
      Effect.tryPromise({
        try: async () => {
          await mkdir(dirname(path), { recursive: true })
          // A rename is atomic; a crash during a write would leave half a file.
          const draft = `${path}.${randomUUID()}.tmp`
          await writeFile(draft, JSON.stringify(models))
          await rename(draft, path)
        },
        catch: (cause) => toUnavailable(source, cause)
      })
  }
}

const readModels = (source: string, path: string): Effect.Effect<unknown, CatalogUnavailable> =>
  Effect.tryPromise({
    try: async (): Promise<unknown> => JSON.parse(await readFile(path, "utf8")),
    catch: (cause) => toUnavailable(source, cause)
  })

/** The code of the error, because its message may quote the file. */
const toUnavailable = (source: string, cause: unknown): CatalogUnavailable =>
  new CatalogUnavailable({
    source,
    problem:
      cause instanceof Error && "code" in cause
        ? String(cause.code)
        : cause instanceof SyntaxError
          ? "it is not valid JSON"
          : "it could not be used"
  })
