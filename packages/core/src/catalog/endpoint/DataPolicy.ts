/** What a provider does with the data it is sent. */

export interface DataPolicy {
  /** Keeps user data for purposes of its own. */
  readonly collects: boolean
  /** Trains models on it. */
  readonly trains: boolean
  /** Keeps it after answering. A cache in memory is no retention. */
  readonly retains: boolean
  /** For how many days it keeps it; absent means nobody says. */
  readonly retentionDays?: number
}

/**
 * What is not said of a provider counts as done: only an outright `false` is a promise. Throws a
 * `RangeError` when the days contradict it.
 */
export const make = (config: Partial<DataPolicy> = {}): DataPolicy => {
  const { retentionDays } = config
  const retains = config.retains !== false
  if (retentionDays !== undefined && !(Number.isSafeInteger(retentionDays) && retentionDays > 0)) {
    throw new RangeError("data.retentionDays must be a whole number above 0")
  }
  if (retentionDays !== undefined && !retains) {
    throw new RangeError("data.retentionDays contradicts data.retains: false; say one of them")
  }
  return {
    collects: config.collects !== false,
    trains: config.trains !== false,
    retains,
    ...(retentionDays === undefined ? undefined : { retentionDays })
  }
}
