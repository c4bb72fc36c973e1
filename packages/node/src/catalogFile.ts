/** Models from a file, and a file that keeps the last good ones. */
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

/** Who serves the models of the file, and how often it is read. */
export interface CatalogFileOptions extends ModelListOptions {
  /** Milliseconds between two readings; absent: only when asked, by `box.refresh()`. */
  readonly refreshMillis?: number
}

/**
 * The models of a JSON file in this wire's own shape, as `GET /models` answers it.
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

/** Keeps the last good catalog in a file, replaced whole; its folder is made when it is not there. */
export const lastGoodFile = (path: string): LastGoodStore => {
  const source = `copy ${basename(path)}`
  return {
    read: readModels(source, path),
    write: (models) =>
      Effect.tryPromise({
        try: async () => {
          await mkdir(dirname(path), { recursive: true })
          // Beside it, so that the exchange is atomic: half a file is worse than an old one.
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

/** The code of what went wrong; the message may quote what the file holds. */
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
