/** Files of videos in a folder of this machine. */
import { randomUUID } from "node:crypto"
import { join } from "node:path"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { BlobFailed, type BlobStore } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import { PlatformError } from "effect/PlatformError"
import * as Stream from "effect/Stream"

/**
 * Keeps them in `folder`, which is made when it is not there and is for nothing else: each file is written
 * beside its place and moved there once it is whole.
 *
 * ```ts
 * const box = await Signalbox.make({ ...options, videoFiles: fileBlobs("videos") })
 * ```
 */
export const fileBlobs = (folder: string): BlobStore => ({
  put: (name, bytes) =>
    inFiles(({ makeDirectory, remove, rename, sink }) => {
      const draft = `${at(folder, name)}.${randomUUID()}.part`
      return Effect.mapError(makeDirectory(folder, { recursive: true }), failed).pipe(
        Effect.andThen(Stream.run(bytes, sink(draft)).pipe(Effect.mapError(failedToWrite))),
        Effect.andThen(Effect.mapError(rename(draft, at(folder, name)), failed)),
        Effect.onError(() => Effect.ignore(remove(draft, { force: true })))
      )
    }),
  find: (name) =>
    inFiles(({ stat, stream }) =>
      Effect.matchEffect(stat(at(folder, name)), {
        onSuccess: ({ size }) =>
          Effect.succeed({
            size: Number(size),
            read: (offset: number, length: number) =>
              Stream.mapError(stream(at(folder, name), { offset, bytesToRead: length }), failed)
          }),
        onFailure: (error) =>
          error.reason._tag === "NotFound" ? Effect.undefined : Effect.fail(failed(error))
      })
    ),
  remove: (name) =>
    inFiles(({ exists, readDirectory, remove }) =>
      Effect.gen(function* () {
        if (!(yield* exists(folder))) return
        // A process that was killed while it wrote has left its draft behind.
        const drafts = (yield* readDirectory(folder)).filter((file) => isDraftOf(name, file))
        for (const file of [...drafts, fileOf(name)]) {
          yield* remove(join(folder, file), { force: true })
        }
      }).pipe(Effect.mapError(failed))
    )
})

const inFiles = <A, E>(
  use: (files: FileSystem.FileSystem) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.provide(Effect.flatMap(FileSystem.FileSystem, use), NodeFileSystem.layer)

/** No name leads out of the folder, and none has a dot. */
const fileOf = (name: string): string => name.replaceAll(/[^0-9A-Za-z-]/g, "_")

const at = (folder: string, name: string): string => join(folder, fileOf(name))

const isDraftOf = (name: string, file: string): boolean =>
  file.startsWith(`${fileOf(name)}.`) && file.endsWith(".part")

/** The kind of the failure alone: its message has paths in it. */
const failed = ({ reason }: PlatformError): BlobFailed => new BlobFailed({ problem: reason._tag })

const failedToWrite = <E>(error: E | PlatformError): E | BlobFailed =>
  error instanceof PlatformError ? failed(error) : error
