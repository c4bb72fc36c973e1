/** An event to deliver to the webhook of a workspace. */
export interface WebhookEvent {
  /** The id of an account. */
  readonly account: string
  /** The id of the workspace whose secrets sign. Its URL is used when the event has no URL. */
  readonly workspace: string
  /**
   * `<resource>-<event>`, such as `gen-vid-1-abc-completed`: at most 200 letters, digits, `-` and `_`, unique
   * among the events of all accounts. Receivers use it to drop duplicates.
   */
  readonly id: string
  /** Such as `video.generation.completed`. */
  readonly type: string
  /** When it happened, in milliseconds since the epoch. */
  readonly at: number
  /** Plain JSON without secrets, sent as `data`. */
  readonly data: Readonly<Record<string, unknown>>
  /** Checked by `parseCallbackUrl`; overrides the URL of the workspace. */
  readonly callbackUrl?: string
}
