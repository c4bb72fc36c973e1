/** The video jobs of a scripted upstream, and the statuses of their polls. */

/** The response to one poll: a status of OpenRouter's API, or any other text. Absent fields are omitted. */
export interface ScriptedVideoStatus {
  readonly status: string
  readonly error?: { readonly code: string; readonly message: string }
  /** USD; OpenAI's API has no cost. */
  readonly cost?: number
  /** The number of files; default 1. OpenAI's API has one. */
  readonly outputs?: number
}

export interface ScriptedVideoJob {
  readonly id: string
  readonly model: string | undefined
  /** The `Idempotency-Key` it was submitted with. */
  readonly idempotencyKey: string | undefined
  /** The job it continues. */
  readonly continues: string | undefined
  /** The number of submits, which is more than one with the same idempotency key. */
  readonly submits: number
  readonly polls: number
  readonly removed: boolean
  /** The status of the last poll. */
  readonly now: ScriptedVideoStatus
}

/** Submits with the same `Idempotency-Key` create one job. */
export interface ScriptedVideos {
  /** The bytes of every output. */
  content: Uint8Array
  /** All accepted jobs, in order. */
  readonly jobs: ReadonlyArray<ScriptedVideoJob>
  /** Sets the statuses of the next job, poll by poll; the last one stays. */
  script(...statuses: ReadonlyArray<string | ScriptedVideoStatus>): void
  /** Sets the statuses of jobs without a script; default: `completed`. */
  always(...statuses: ReadonlyArray<string | ScriptedVideoStatus>): void
}
