/** Reads models from a file, and stores the last valid catalog in another. */
import { randomUUID } from "node:crypto"
import { mkdir, open, rename, writeFile } from "node:fs/promises"
import { basename, dirname } from "node:path"
import {
  type LastGoodStore,
  type CatalogSource,
  CatalogUnavailable,
  type ModelListOptions,
  parseCatalogReading,
  ReportSkipped,
  Settings,
  toCatalogTooLarge
} from "@signalbox/core/upstream"
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
    load: Effect.gen(function* () {
      const reportSkipped = yield* ReportSkipped
      const json = yield* readModels(name, path)
      const { models, skipped } = yield* Effect.try({
        try: () => parseCatalogReading(json, wire),
        catch: (cause) =>
          new CatalogUnavailable({
            source: name,
            problem: cause instanceof Error ? cause.message : String(cause)
          })
      })
      skipped.forEach(reportSkipped)
      return models
    })
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
  Effect.gen(function* () {
    const settings = yield* Settings
    const bytes = yield* Effect.tryPromise({
      try: () => readStart(path, settings.maxCatalogBytes + 1),
      catch: (cause) => toUnavailable(source, cause)
    })
    if (bytes.length > settings.maxCatalogBytes) return yield* toCatalogTooLarge(source, settings)
    return yield* Effect.try({
      try: (): unknown => JSON.parse(bytes.toString("utf8")),
      catch: (cause) => toUnavailable(source, cause)
    })
  })

/** A path may be a device or a pipe, which has no size and no end. */
const readStart = async (path: string, bytes: number): Promise<Buffer> => {
  await using file = await open(path)
  const chunks: Array<Buffer> = []
  for await (const chunk of file.createReadStream({ end: bytes - 1 })) {
    chunks.push(Buffer.from(chunk))
  }
  return Buffer.concat(chunks)
}

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
