/** What one attempt at an endpoint came to, as far as its health is concerned. */
export interface Outcome {
  readonly endpoint: string
  /** When it ended, in milliseconds since the epoch. */
  readonly at: number
  readonly result: "success" | "failure"
}
