/** The videos of a simulated provider, each of which it makes, fails or forgets to mention. */
import {
  type UpstreamFailure,
  UpstreamFailure as Failure,
  type VideoCall,
  type VideoCapability,
  type VideoReport,
  type VideoSubmission
} from "@signalbox/core/upstream"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import { type CredentialUse, readCredential } from "./credentials.ts"
import type { Link } from "./Link.ts"
import type { Machine } from "./Machine.ts"

/** A job at the provider. */
export interface StudioJob {
  readonly upstreamId: string
  /** What the prompt names, which is the request of a client. */
  readonly request: string
  /** Of the customer who pays it; undefined: the host does. */
  readonly credential: string | undefined
  readonly fails: boolean
  readonly endsAt: number
}

interface StudioEvents {
  readonly failureRate: () => number
  readonly onCredential: (use: CredentialUse) => void
}

/** The price of a job in nano-USD, as `videoPrice` says it for four seconds. */
export const videoNano = 200_000n
export const videoSeconds = 4
export const videoPrice = { duration_seconds: "0.00005" } as const

export class VideoStudio {
  readonly jobs: Array<StudioJob> = []
  /** The requests for which a submission was lost, so that nobody knows how many jobs there are. */
  readonly unclear = new Set<string>()
  readonly #machine: Machine
  /** Two submissions with one key are one job. */
  readonly #supportsKeys: boolean
  readonly #byKey = new Map<string, StudioJob>()

  constructor(machine: Machine, supportsKeys: boolean) {
    this.#machine = machine
    this.#supportsKeys = supportsKeys
  }

  connect(
    link: Link<UpstreamFailure>,
    { failureRate, onCredential }: StudioEvents
  ): VideoCapability {
    const { chance } = this.#machine
    return {
      ...(this.#supportsKeys ? { supportsIdempotencyKey: true } : undefined),
      pollIntervalMillis: 2_000,
      submit: (call) =>
        link
          .call<VideoSubmission, UpstreamFailure>("submit", {
            run: (onExit) => {
              const credential = readCredential(call)
              if (credential !== undefined) onCredential({ request: findRequest(call), credential })
              if (chance.happens(failureRate())) {
                onExit(Exit.fail(new Failure({ kind: "server_error", status: 500 })))
              } else {
                const { upstreamId } = this.#accept(call)
                onExit(Exit.succeed({ upstreamId, report: { status: "pending" } }))
              }
              return constVoid
            }
          })
          .pipe(
            Effect.onExit((exit) =>
              Effect.sync(() => {
                if (Exit.isFailure(exit) && !isRefused(exit.cause)) {
                  this.unclear.add(findRequest(call))
                }
              })
            )
          ),
      poll: ({ upstreamId }) =>
        link.call<VideoReport, UpstreamFailure>("poll", {
          run: (onExit) => {
            onExit(
              chance.happens(failureRate())
                ? Exit.fail(new Failure({ kind: "server_error", status: 500 }))
                : Exit.succeed(this.#report(upstreamId))
            )
            return constVoid
          }
        }),
      getContent: () => Effect.fail(new Failure({ kind: "not_served", status: 404 })),
      estimateWorstCase: () => ({ videos: 1, seconds: videoSeconds })
    }
  }

  #accept(call: VideoCall): StudioJob {
    const known = this.#supportsKeys ? this.#byKey.get(call.idempotencyKey) : undefined
    if (known !== undefined) return known
    const { chance, name, timeline } = this.#machine
    const job: StudioJob = {
      upstreamId: `${name}-job-${this.jobs.length + 1}`,
      request: findRequest(call),
      credential: readCredential(call),
      fails: chance.happens(0.1),
      endsAt: timeline.now + chance.between(500, 10_000)
    }
    this.jobs.push(job)
    this.#byKey.set(call.idempotencyKey, job)
    return job
  }

  #report(upstreamId: string): VideoReport {
    const job = this.jobs.find((each) => each.upstreamId === upstreamId)
    if (job === undefined) return { status: "failed", kind: "not_served", message: "no such job" }
    if (this.#machine.timeline.now < job.endsAt) return { status: "in_progress" }
    return job.fails
      ? { status: "failed", kind: "server_error", message: "it did not work" }
      : {
          status: "completed",
          outputs: [{ index: 0 }],
          usage: { videos: 1, seconds: videoSeconds }
        }
  }
}

const findRequest = ({ prompt = "" }: VideoCall): string => /\br\d+\b/.exec(prompt)?.[0] ?? ""

const isRefused = (cause: Cause.Cause<UpstreamFailure>): boolean =>
  cause.reasons.some((reason) => Cause.isFailReason(reason) && reason.error.status !== undefined)
