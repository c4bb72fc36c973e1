/** Keeps a second process away from a SQLite file. */
import { realpathSync, statSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SqlClient from "effect/sql/SqlClient"
import * as SqliteClient from "./SqliteClient.ts"
import { FileInUse, StorageUnavailable } from "./StorageErrors.ts"

/**
 * Holds a lock on a file beside it until the scope closes. The operating system lets go of it with the
 * process, however that ends. A process that stops is waited for, as long as `waitMillis`. A file with several
 * hard links is refused: the lock belongs to a name.
 */
export const layerFileLock = (path: string, waitMillis: number) =>
  Layer.unwrap(Effect.as(refuseHardLinks(path), layerHeldLock(path, waitMillis)))

const refuseHardLinks = (path: string): Effect.Effect<void, StorageUnavailable> =>
  Effect.suspend(() => {
    const links = countHardLinks(path)
    return links > 1
      ? Effect.fail(
          new StorageUnavailable({
            where: path,
            cause: new Error(
              `the file has ${links} hard links, and each would have a journal and a lock of its own; remove all but one`
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
    // Opening the file says what is wrong with it.
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

/** Of one file, whatever symbolic links it is reached by. One that is not there yet is made where its folder is. */
const resolveRealPath = (path: string): string => {
  for (const real of [
    () => realpathSync(path),
    () => join(realpathSync(dirname(path)), basename(path))
  ]) {
    try {
      return real()
    } catch {
      // Whoever opens it says what is wrong.
    }
  }
  return path
}
