/** A bug in a function of an upstream that has no way to fail, such as `estimateWorstCase`. */
import type * as Cause from "effect/Cause"

export class UpstreamDefect extends Error {
  /** Of the upstream. */
  readonly slug: string
  /** What was thrown, without secrets. */
  readonly reason: Cause.Cause<unknown>

  constructor(slug: string, reason: Cause.Cause<unknown>) {
    super(`the code of the upstream "${slug}" broke`)
    this.name = "UpstreamDefect"
    this.slug = slug
    this.reason = reason
  }
}
