/** Stores the files of jobs for longer than providers do. A port. */
import * as Context from "effect/Context"
import * as Data from "effect/Data"
import type * as Effect from "effect/Effect"
import type * as Stream from "effect/Stream"

/** A file could not be written, read or removed. `problem` contains no secrets. */
export class BlobFailed extends Data.TaggedError("BlobFailed")<{
  readonly problem: string
}> {}

/** A stored file. */
export interface Blob {
  /** Bytes. */
  readonly size: number
  /** `offset` and `length` are within the file. */
  readonly read: (offset: number, length: number) => Stream.Stream<Uint8Array, BlobFailed>
}

/** Names have at most 100 letters, digits and `-`. */
export interface BlobStore {
  /** Writes the whole file or nothing, and replaces a file with the same name. */
  readonly put: <E>(
    name: string,
    bytes: Stream.Stream<Uint8Array, E>
  ) => Effect.Effect<void, E | BlobFailed>
  /** Undefined when the file does not exist. */
  readonly find: (name: string) => Effect.Effect<Blob | undefined, BlobFailed>
  /** Idempotent. */
  readonly remove: (name: string) => Effect.Effect<void, BlobFailed>
}

/** For hosts that provide their blob store as a layer. */
export const BlobStore: Context.Service<BlobStore, BlobStore> = Context.Service(
  "@signalbox/core/domains/videos/content/BlobStore"
)

/** Default undefined: files are available for as long as the provider stores them. */
export const OptionalBlobStore: Context.Reference<BlobStore | undefined> = Context.Reference<
  BlobStore | undefined
>("@signalbox/core/domains/videos/content/OptionalBlobStore", { defaultValue: () => undefined })
