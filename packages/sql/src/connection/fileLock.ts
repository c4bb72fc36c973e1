/** Lets only one process at a time open a SQLite file. */
import { realpathSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import { FileInUse, StorageUnavailable } from "../errors/StorageErrors.ts"
import * as SqliteClient from "./SqliteClient.ts"

/**
 * Holds a lock on `<path>.lock` until the scope closes; the operating system releases it when the process
 * dies. Waits `waitMillis` for another process to release it, and then fails with `FileInUse`. Rejects a file
 * with several hard links, because each name would have a lock and a journal of its own.
 */
export const layerFileLock = (path: string, waitMillis: number) =>
  Layer.unwrap(Effect.as(rejectHardLinks(path), layerHeldLock(path, waitMillis)))

const rejectHardLinks = (path: string): Effect.Effect<void, StorageUnavailable> =>
  Effect.suspend(() => {
    const links = countHardLinks(path)
    return links > 1
      ? Effect.fail(
          new StorageUnavailable({
            where: path,
            cause: new Error(
              `the file has ${links} hard links, and each would have its own journal and lock; remove all but one`
            )
          })
        )
      : Effect.void
  })

const countHardLinks = (path: string): number => {
  try {
    const stats = statSync(path)
    return stats.isFile() ? stats.nlink : 0
  } catch {
    // Opening the file reports what is wrong with it.
    return 0
  }
}

const layerHeldLock = (path: string, waitMillis: number) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`PRAGMA locking_mode = EXCLUSIVE`
      yield* sql`BEGIN EXCLUSIVE`
    })
  ).pipe(
    Layer.provide(
      SqliteClient.layer({ path: `${resolveRealPath(path)}.lock`, lockWaitMillis: waitMillis })
    ),
    Layer.catchTag("SqlError", (error): Layer.Layer<never, FileInUse | StorageUnavailable> =>
      Layer.effectDiscard(
        Effect.fail(
          error.reason._tag === "LockTimeoutError"
            ? new FileInUse({ path })
            : new StorageUnavailable({ where: path, cause: error })
        )
      )
    )
  )

/** Follows symbolic links, so that every path of a file leads to one lock; the file need not exist yet. */
const resolveRealPath = (path: string): string => {
  for (const resolve of [
    () => realpathSync(path),
    () => join(realpathSync(dirname(path)), basename(path))
  ]) {
    try {
      return resolve()
    } catch {
      // Opening the file reports what is wrong with it.
    }
  }
  return path
}
