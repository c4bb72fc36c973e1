/** Stores video files in a local folder. */
import { randomUUID } from "node:crypto"
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { BlobFailed } from "@signalbox/core/adapter"
import type { BlobStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { fromReadable } from "./fromReadable.ts"

/**
 * Stores files in `folder`, which is created if missing and must not be used for anything else. A file is renamed to its
 * name once it is complete.
 *
 * ```ts
 * const signalbox = await Signalbox.make({ ...options, videoFiles: fileBlobs("videos") })
 * ```
 */
export const fileBlobs = (folder: string): BlobStore => ({
  put: (name, bytes) => {
    const draft = `${toFilePath(folder, name)}.${randomUUID()}.part`
    return tryIo(() => mkdir(folder, { recursive: true })).pipe(
      Effect.andThen(
        Effect.acquireUseRelease(
          tryIo(() => open(draft, "wx")),
          (file) => Stream.runForEach(bytes, (chunk) => tryIo(() => file.writeFile(chunk))),
          (file) => tryIo(() => file.close())
        )
      ),
      Effect.andThen(tryIo(() => rename(draft, toFilePath(folder, name)))),
      Effect.onError(() => Effect.ignore(tryIo(() => rm(draft, { force: true }))))
    )
  },
  find: (name) =>
    Effect.matchEffect(
      tryIo(() => stat(toFilePath(folder, name))),
      {
        onSuccess: ({ size }) =>
          Effect.succeed({
            size,
            read: (offset: number, length: number) =>
              length === 0 ? Stream.empty : readRange(toFilePath(folder, name), offset, length)
          }),
        onFailure: (error) => (error.problem === "ENOENT" ? Effect.undefined : Effect.fail(error))
      }
    ),
  remove: (name) =>
    tryIo(async () => {
      // A process that was killed during a write leaves its draft.
      const drafts = (await listFiles(folder)).filter((file) => isDraftOf(name, file))
      for (const file of [...drafts, toFileName(name)])
        await rm(join(folder, file), { force: true })
    })
})

const readRange = (path: string, offset: number, length: number) =>
  Stream.suspend(() =>
    fromReadable(
      // An import reads every export of `node:fs`, which takes 2 ms of every start.
      process.getBuiltinModule("node:fs").createReadStream(path, {
        start: offset,
        end: offset + length - 1
      }),
      { onError: toBlobFailed, destroysWhenDone: true }
    )
  )

const listFiles = async (folder: string): Promise<ReadonlyArray<string>> => {
  try {
    return await readdir(folder)
  } catch (cause) {
    if (getErrorCode(cause) === "ENOENT") return []
    throw cause
  }
}

/** No name leads out of the folder, and none has a dot. */
const toFileName = (name: string): string => name.replaceAll(/[^0-9A-Za-z-]/g, "_")

const toFilePath = (folder: string, name: string): string => join(folder, toFileName(name))

const isDraftOf = (name: string, file: string): boolean =>
  file.startsWith(`${toFileName(name)}.`) && file.endsWith(".part")

const tryIo = <A>(act: () => Promise<A>): Effect.Effect<A, BlobFailed> =>
  Effect.tryPromise({ try: act, catch: toBlobFailed })

/** The code of the failure alone: its message has paths in it. */
const toBlobFailed = (cause: unknown): BlobFailed =>
  new BlobFailed({ problem: getErrorCode(cause) })

const getErrorCode = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : "unknown"
