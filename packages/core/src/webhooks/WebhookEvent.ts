/** Something that happened, of which a workspace wants to be told. */

/** Something that happened, of which a workspace wants to be told. */
export interface WebhookEvent {
  /** The id of an account. */
  readonly account: string
  /** Its id: whose secrets sign, and whose address is used when the event names none. */
  readonly workspace: string
  /**
   * `<what it happened to>-<what happened>`, such as `gen-vid-1-abc-completed`: letters, digits, `-` and
   * `_`, at most 200, the same for no other event of any account. Receivers drop what they know by it.
   */
  readonly id: string
  /** Such as `video.generation.completed`. */
  readonly type: string
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number
  /** Plain JSON, as the receiver gets it under `data`; small, and without secrets. */
  readonly data: Readonly<Record<string, unknown>>
  /** As `callbackUrl` has checked it; it beats the workspace's. */
  readonly callbackUrl?: string
}
