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

/** The error of a transport whose connections to an upstream are all in use: nothing was sent. */
export class ConnectionsBusy extends Error {
  override readonly name = "ConnectionsBusy"

  constructor() {
    super("every connection to the provider is in use")
  }
}
