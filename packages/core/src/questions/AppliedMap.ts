/** What calibration did to an answer, as its record says. */
export interface AppliedMap {
  readonly map: "discrete" | "isotonic" | "none" | "platt" | "temperature"
  /** Labels that the map was fitted to; 0 without a map. */
  readonly samples: number
  /** Whether the map was fitted for the question or for its kind; null without a map. */
  readonly scope: "question" | "kind" | null
  /** Keyed hash of the question, by which reports select it; null for one too large to be labelled. */
  readonly key: string | null
}
