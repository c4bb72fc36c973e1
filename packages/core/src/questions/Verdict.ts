/** The raw result of an upstream for one question. */

/**
 * A distribution over the question's options, in the order of the question: `[yes, no]` for noul,
 * the labels for choice, the levels for score. Weights need not be normalised. `native` has the results of an upstream
 * with native Decisions; they are validated and passed through instead of derived.
 */
export interface Verdict {
  readonly weights: ReadonlyArray<number>
  readonly native?: {
    /** The label chosen (choice). */
    readonly choice?: string
    /** The expected level (score). */
    readonly score?: number
    /** 0..1, by the upstream's own definition. */
    readonly confidence?: number
  }
}
