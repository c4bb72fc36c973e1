/** A defect in a function of an upstream that has no typed failure, such as `estimateWorstCase`. */
import type * as Cause from "effect/Cause"

export class UpstreamDefect extends Error {
  /** The slug of the upstream. */
  readonly slug: string
  /** The thrown value, without secrets. */
  readonly reason: Cause.Cause<unknown>

  constructor(slug: string, reason: Cause.Cause<unknown>) {
    super(`the code of the upstream "${slug}" has a defect`)
    this.name = "UpstreamDefect"
    this.slug = slug
    this.reason = reason
  }
}
