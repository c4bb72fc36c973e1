/** A moment at which a proof kills the process that works. */

/** A call of a verb that a process makes on its own, and when in it the process dies. */
export interface CrashPoint<Verb extends string = string> {
  readonly name: string
  readonly verb: Verb
  readonly when: "before" | "after"
  /** Which of the calls; default: the first. What it answered is there after it alone. */
  readonly matches?: (args: ReadonlyArray<unknown>, answer: unknown) => boolean
  /**
   * Not before these have passed, one after the other; an atomic effect says nothing of what is in it.
   */
  readonly precededBy?: ReadonlyArray<Pick<CrashPoint<Verb>, "verb" | "matches">>
}
