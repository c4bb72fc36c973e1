/** Where a host keeps the files that jobs made, beyond what providers do: a port. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"

/** A file could not be kept, read or removed; `problem` says why, without secrets. */
export class BlobFailed extends Data.TaggedError("BlobFailed")<{
  readonly problem: string
}> {}

/** A file that is kept. */
export interface Blob {
  /** Bytes. */
  readonly size: number
  /** So many bytes from there on; both are within the file. */
  readonly read: (offset: number, length: number) => Stream.Stream<Uint8Array, BlobFailed>
}

/** Names are letters, digits and `-`, at most 100 of them. */
export interface BlobStore {
  /** Keeps what comes, whole or not at all; in the place of what had the name. */
  readonly put: <E>(
    name: string,
    bytes: Stream.Stream<Uint8Array, E>
  ) => Effect.Effect<void, E | BlobFailed>
  /** Undefined when there is none. */
  readonly find: (name: string) => Effect.Effect<Blob | undefined, BlobFailed>
  /** Harmless twice. */
  readonly remove: (name: string) => Effect.Effect<void, BlobFailed>
}

/** The service of a host that makes its store of files with a layer. */
export const BlobStore: Context.Service<BlobStore, BlobStore> = Context.Service(
  "@signalbox/core/videos/content/BlobStore"
)

/** Default undefined: files are handed out for as long as the provider has them. */
export const OptionalBlobStore: Context.Reference<BlobStore | undefined> = Context.Reference<
  BlobStore | undefined
>("@signalbox/core/videos/BlobStore/Blobs", { defaultValue: () => undefined })
