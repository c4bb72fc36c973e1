/** How a catalog fails to be read or taken. */
import * as Data from "effect/Data"

/** A source gave no models; `problem` says why, without secrets. */
export class CatalogUnavailable extends Data.TaggedError("CatalogUnavailable")<{
  readonly source: string
  readonly problem: string
}> {}

/** The models or upstreams contradict themselves; what was there before stays. */
export class CatalogInvalid extends Data.TaggedError("CatalogInvalid")<{
  readonly source: string
  /** The place and what to mend there. */
  readonly problem: string
}> {}

export type CatalogError = CatalogUnavailable | CatalogInvalid
