/** Stores the video jobs that a scripted upstream has accepted. */
import type { ScriptedVideoJob, ScriptedVideos, ScriptedVideoStatus } from "./ScriptedVideos.ts"

type Job = { -readonly [K in keyof ScriptedVideoJob]: ScriptedVideoJob[K] } & {
  readonly statuses: ReadonlyArray<ScriptedVideoStatus>
}

export type NewVideoJob = Pick<ScriptedVideoJob, "idempotencyKey" | "continues" | "model">

export class VideoJobs implements ScriptedVideos {
  readonly #jobs: Array<Job> = []
  readonly #queue: Array<ReadonlyArray<ScriptedVideoStatus>> = []
  #standing: ReadonlyArray<ScriptedVideoStatus> = [{ status: "completed" }]

  content: Uint8Array = Uint8Array.from({ length: 1_000 }, (_, i) => i % 251)

  script(...statuses: ReadonlyArray<string | ScriptedVideoStatus>): void {
    this.#queue.push(statuses.map(toStatus))
  }

  always(...statuses: ReadonlyArray<string | ScriptedVideoStatus>): void {
    this.#standing = statuses.map(toStatus)
  }

  get jobs(): ReadonlyArray<ScriptedVideoJob> {
    return this.#jobs
  }

  accept(job: NewVideoJob, nameOf: (at: number) => string): ScriptedVideoJob {
    const again = this.#jobs.find(
      ({ idempotencyKey }) => idempotencyKey !== undefined && idempotencyKey === job.idempotencyKey
    )
    if (again !== undefined) {
      again.submits++
      return again
    }
    const accepted: Job = {
      ...job,
      id: nameOf(this.#jobs.length + 1),
      submits: 1,
      polls: 0,
      removed: false,
      now: { status: "pending" },
      statuses: this.#queue.shift() ?? this.#standing
    }
    this.#jobs.push(accepted)
    return accepted
  }

  /** Undefined for an unknown or removed job. */
  find(id: string): ScriptedVideoJob | undefined {
    return this.#jobs.find((job) => job.id === id && !job.removed)
  }

  poll(id: string): ScriptedVideoJob | undefined {
    const job = this.#jobs.find((each) => each.id === id && !each.removed)
    if (job === undefined) return undefined
    job.now = job.statuses[Math.min(job.polls, job.statuses.length - 1)] ?? job.now
    job.polls++
    return job
  }

  remove(id: string): boolean {
    const job = this.#jobs.find((each) => each.id === id && !each.removed)
    if (job !== undefined) job.removed = true
    return job !== undefined
  }
}

const toStatus = (scripted: string | ScriptedVideoStatus): ScriptedVideoStatus =>
  typeof scripted === "string" ? { status: scripted } : scripted
