/** A point at which a test kills the working process. */

/** A call of an instrumented method, and whether the process dies before or after it. */
export interface CrashPoint<Verb extends string = string> {
  readonly name: string
  readonly verb: Verb
  readonly when: "before" | "after"
  /** Selects the call; default: the first. The answer is defined only after the call. */
  readonly matches?: (args: ReadonlyArray<unknown>, answer: unknown) => boolean
  /**
   * Calls that have to complete first, in this order. They locate a point inside a transaction.
   */
  readonly precededBy?: ReadonlyArray<Pick<CrashPoint<Verb>, "verb" | "matches">>
}
