/** What a provider does with what it is sent. Source: semantics A2. */

/** As a host writes it; what is not said of a provider counts as done. */
export interface DataPolicy {
  /** Keeps user data for purposes of its own. */
  readonly collects: boolean
  /** Trains models on it. */
  readonly trains: boolean
  /** Keeps it after answering. A cache in memory is no retention. */
  readonly retains: boolean
}

export const unknownPolicy: DataPolicy = { collects: true, trains: true, retains: true }
