/** Files of videos in a folder of this machine. */
import { randomUUID } from "node:crypto"
import { createReadStream } from "node:fs"
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises"
import { join } from "node:path"
import { BlobFailed, type BlobStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { fromReadable } from "./fromReadable.ts"

/**
 * Keeps them in `folder`, which is made when it is not there and is for nothing else: each file is written
 * beside its place and moved there once it is whole.
 *
 * ```ts
 * const box = await Signalbox.make({ ...options, videoFiles: fileBlobs("videos") })
 * ```
 */
export const fileBlobs = (folder: string): BlobStore => ({
  put: (name, bytes) => {
    const draft = `${at(folder, name)}.${randomUUID()}.part`
    return attempt(() => mkdir(folder, { recursive: true })).pipe(
      Effect.andThen(
        Effect.acquireUseRelease(
          attempt(() => open(draft, "wx")),
          (file) => Stream.runForEach(bytes, (chunk) => attempt(() => file.writeFile(chunk))),
          (file) => attempt(() => file.close())
        )
      ),
      Effect.andThen(attempt(() => rename(draft, at(folder, name)))),
      Effect.onError(() => Effect.ignore(attempt(() => rm(draft, { force: true }))))
    )
  },
  find: (name) =>
    Effect.matchEffect(
      attempt(() => stat(at(folder, name))),
      {
        onSuccess: ({ size }) =>
          Effect.succeed({
            size,
            read: (offset: number, length: number) =>
              length === 0 ? Stream.empty : readFrom(at(folder, name), offset, length)
          }),
        onFailure: (error) => (error.problem === "ENOENT" ? Effect.undefined : Effect.fail(error))
      }
    ),
  remove: (name) =>
    attempt(async () => {
      // A process that was killed while it wrote has left its draft behind.
      const drafts = (await filesIn(folder)).filter((file) => isDraftOf(name, file))
      for (const file of [...drafts, fileOf(name)]) await rm(join(folder, file), { force: true })
    })
})

const readFrom = (path: string, offset: number, length: number) =>
  Stream.suspend(() =>
    fromReadable(createReadStream(path, { start: offset, end: offset + length - 1 }), {
      onError: toBlobFailed,
      destroysWhenDone: true
    })
  )

const filesIn = async (folder: string): Promise<ReadonlyArray<string>> => {
  try {
    return await readdir(folder)
  } catch (cause) {
    if (codeOf(cause) === "ENOENT") return []
    throw cause
  }
}

/** No name leads out of the folder, and none has a dot. */
const fileOf = (name: string): string => name.replaceAll(/[^0-9A-Za-z-]/g, "_")

const at = (folder: string, name: string): string => join(folder, fileOf(name))

const isDraftOf = (name: string, file: string): boolean =>
  file.startsWith(`${fileOf(name)}.`) && file.endsWith(".part")

const attempt = <A>(act: () => Promise<A>): Effect.Effect<A, BlobFailed> =>
  Effect.tryPromise({ try: act, catch: toBlobFailed })

/** The code of the failure alone: its message has paths in it. */
const toBlobFailed = (cause: unknown): BlobFailed => new BlobFailed({ problem: codeOf(cause) })

const codeOf = (cause: unknown): string =>
  cause instanceof Error && "code" in cause ? String(cause.code) : "unknown"
