/** What happened at a time. */
export interface Mark {
  readonly kind: "deployment" | "incident"
  /** Milliseconds since the epoch. */
  readonly at: number
  /** Its end; absent where it has no length. */
  readonly until?: number
  readonly text: string
}
