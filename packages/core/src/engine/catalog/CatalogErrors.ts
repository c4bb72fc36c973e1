/** Errors of the catalog. */
import * as Data from "effect/Data"

/** A source returned no models; `problem` says why, without secrets. */
export class CatalogUnavailable extends Data.TaggedError("CatalogUnavailable")<{
  readonly source: string
  readonly problem: string
}> {}

/** The models or upstreams are invalid; the former configuration stays. */
export class CatalogInvalid extends Data.TaggedError("CatalogInvalid")<{
  readonly source: string
  /** What is wrong, and where. */
  readonly problem: string
}> {}

export type CatalogError = CatalogUnavailable | CatalogInvalid
