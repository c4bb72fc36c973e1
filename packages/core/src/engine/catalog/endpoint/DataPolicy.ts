/** Data policies of providers. */

/** What a provider does with the data it receives. */
export interface DataPolicy {
  /** Collects user data for its own purposes. */
  readonly collects: boolean
  /** Trains models on the data. */
  readonly trains: boolean
  /** Retains the data after the answer. An in-memory cache does not count. */
  readonly retains: boolean
  /** The retention in days; absent: unknown. */
  readonly retentionDays?: number
}

/**
 * An omitted field counts as the worst case: only an explicit `false` is a promise. Throws a `RangeError` when
 * `retentionDays` is invalid or contradicts `retains`.
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
