/** The video jobs of a scripted upstream: what was submitted, and what each poll says. */

/** What one poll says: a status of this wire, or any other word; the rest is left out unless given. */
export interface ScriptedVideoStatus {
  readonly status: string
  readonly error?: { readonly code: string; readonly message: string }
  /** USD; OpenAI's dialect states none. */
  readonly cost?: number
  /** How many files there are; default 1. OpenAI's dialect has one. */
  readonly outputs?: number
}

export interface ScriptedVideoJob {
  readonly id: string
  readonly model: string | undefined
  /** The `Idempotency-Key` it was submitted with. */
  readonly idempotencyKey: string | undefined
  /** The job it continues. */
  readonly continues: string | undefined
  /** How often it was submitted: more than once with the same key. */
  readonly submits: number
  readonly polls: number
  readonly removed: boolean
  /** What the last poll said. */
  readonly now: ScriptedVideoStatus
}

/** Submits with the same `Idempotency-Key` are one job. */
export interface ScriptedVideos {
  /** The bytes of every output. */
  content: Uint8Array
  /** All jobs that were accepted, in order. */
  readonly jobs: ReadonlyArray<ScriptedVideoJob>
  /** What the polls of one of the next jobs say, one after the other; the last stays. */
  script(...moments: ReadonlyArray<string | ScriptedVideoStatus>): void
  /** What polls of jobs without a script say; unless set, `createCompleted`. */
  always(...moments: ReadonlyArray<string | ScriptedVideoStatus>): void
}
