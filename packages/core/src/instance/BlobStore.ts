/** Stores files, such as finished videos, under names. A port. */
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

/**
 * Stores files that are too large for a database, and are read by their names alone. Names have at most 100 letters, digits
 * and `-`. Who may read a file, and until when, the domain keeps beside the name; it seals what must not be read by others.
 */
export interface BlobStore {
  /**
   * Writes the whole file or nothing, and replaces a file with the same name. Race: of concurrent writes of a name, one is the
   * file in the end, as a whole.
   */
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
  "@signalbox/core/instance/BlobStore"
)

/** Default undefined: files are available for as long as the provider stores them. */
export const OptionalBlobStore: Context.Reference<BlobStore | undefined> = Context.Reference<
  BlobStore | undefined
>("@signalbox/core/instance/OptionalBlobStore", { defaultValue: () => undefined })
