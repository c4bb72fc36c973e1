/** Reads and writes files of models. */
import { randomUUID } from "node:crypto"
import { mkdir, open, rename, writeFile } from "node:fs/promises"
import { dirname } from "node:path"
import {
  CatalogUnavailable,
  type LastGoodStore,
  type ModelListOptions,
  parseCatalogReading,
  ReportSkipped,
  Settings,
  toCatalogTooLarge
} from "@signalbox/core/upstream"
import * as Effect from "effect/Effect"

/** The models of a file in the format of `GET /models`. */
export const readCatalog = Effect.fnUntraced(function* (
  name: string,
  path: string,
  wire: ModelListOptions
) {
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

/** Replaces a file atomically. */
export const writeModels = (
  source: string,
  path: string,
  models: Parameters<LastGoodStore["write"]>[0]
): ReturnType<LastGoodStore["write"]> =>
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

/** The JSON of a file that is not too large. */
export const readModels = (
  source: string,
  path: string
): Effect.Effect<unknown, CatalogUnavailable> =>
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
