/** Calls the upstream that has accepted a job, with the credential the job was submitted with. */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import type * as Redacted from "effect/Redacted"
import { Credentials } from "../../../tenants/byok/Credentials.ts"
import { Catalog } from "../../../engine/catalog/Catalog.ts"
import { OutboundHttp } from "../../../engine/outbound/OutboundHttp.ts"
import { runWithCredential } from "../../../routing/attempt/runWithCredential.ts"
import { continueTrace } from "../../../engine/observability/tracing/traceContext.ts"
import { redactSecret } from "../../../engine/secrets/redact.ts"
import { ExternalContentClient } from "../../../engine/upstreams/transport/ExternalContentClient.ts"
import type { UpstreamFailure } from "../../../engine/upstreams/failures/UpstreamFailure.ts"
import type {
  UpstreamVideoJob,
  VideoCapability
} from "../../../engine/upstreams/VideoCapability.ts"
import type { VideoReport } from "../../../engine/upstreams/VideoReport.ts"
import type { VideoJob, VideoAssignment } from "../VideoJob.ts"

type AssignedJob = Pick<VideoJob, "account" | "traceparent"> & {
  readonly assignment: VideoAssignment
}

/** Calls the upstreams of jobs. */
export class VideoUpstream extends Context.Service<
  VideoUpstream,
  {
    /** Undefined when the host has removed the upstream. */
    readonly findCapability: (
      assignment: Pick<VideoAssignment, "provider">
    ) => VideoCapability | undefined
    /**
     * Content that an upstream stores elsewhere is fetched with the checked outbound client. The spans of workers continue
     * the trace of the request that submitted the job.
     */
    readonly call: <A, R>(
      job: AssignedJob,
      invoke: (job: UpstreamVideoJob) => Effect.Effect<A, UpstreamFailure, R>
    ) => Effect.Effect<A, UpstreamFailure, Exclude<R, HttpClient.HttpClient>>
    readonly poll: (
      job: AssignedJob,
      capability: VideoCapability
    ) => Effect.Effect<VideoReport, UpstreamFailure>
    /** Undefined without an answer. */
    readonly pollOnce: (job: VideoJob) => Effect.Effect<VideoReport | undefined>
    /**
     * True when, as far as the upstream says, no provider makes the video any more. An upstream that can only delete
     * is asked to do that, which does not tell whether the video was made: false.
     */
    readonly stop: (job: VideoJob) => Effect.Effect<boolean>
  }
>()("@signalbox/core/domains/videos/poll/VideoUpstream") {
  static readonly layer = Layer.effect(
    VideoUpstream,
    Effect.gen(function* () {
      const catalog = yield* Catalog
      const client = yield* HttpClient.HttpClient
      const credentials = yield* Credentials
      const outbound = yield* OutboundHttp

      const findCapability: VideoUpstream["Service"]["findCapability"] = ({ provider }) =>
        catalog.current().upstreams.get(provider)?.videos

      const call = <A, R>(
        { account, assignment: { credential, upstreamId }, traceparent }: AssignedJob,
        invoke: (job: UpstreamVideoJob) => Effect.Effect<A, UpstreamFailure, R>
      ): Effect.Effect<A, UpstreamFailure, Exclude<R, HttpClient.HttpClient>> =>
        (credential === undefined
          ? invoke({ upstreamId })
          : runWithCredential({ secret: credentials.open(account, credential) }, (secret) =>
              invoke({ upstreamId, credential: secret })
            )
        ).pipe(
          Effect.provideService(ExternalContentClient, outbound),
          Effect.provideService(HttpClient.HttpClient, client),
          (calling) => continueTrace(calling, traceparent)
        )

      const poll: VideoUpstream["Service"]["poll"] = (job, capability) =>
        call(job, (at) =>
          Effect.map(capability.poll(at), (report) => redactReport(report, at.credential))
        )

      return {
        findCapability,
        call,
        poll,
        pollOnce: ({ assignment, ...job }) => {
          const capability = assignment && findCapability(assignment)
          if (assignment === undefined || capability === undefined) return Effect.undefined
          return answerSoon(poll({ ...job, assignment }, capability), undefined)
        },
        stop: ({ assignment, ...job }) => {
          if (assignment === undefined) return Effect.succeed(true)
          const { cancel, remove } = findCapability(assignment) ?? {}
          const stop = cancel ?? remove
          if (stop === undefined) return Effect.succeed(false)
          const isStopped = cancel !== undefined
          return answerSoon(Effect.as(call({ ...job, assignment }, stop), isStopped), false)
        }
      }
    })
  )
}

/** An upstream that never answers must not block the end of a job. */
const answerSoon = <A, B>(answer: Effect.Effect<A, UpstreamFailure>, otherwise: B) =>
  answer.pipe(
    Effect.orElseSucceed(() => otherwise),
    Effect.timeoutOrElse({
      duration: stopTimeoutMillis,
      orElse: () => Effect.succeed(otherwise)
    })
  )

/** Milliseconds an upstream has to stop a job, and to answer the poll after that. */
const stopTimeoutMillis = 10_000

/** Reports are stored and shown to callers, so they must not repeat the customer's credential. */
export const redactReport = (
  report: VideoReport,
  credential: Redacted.Redacted | undefined
): VideoReport =>
  credential === undefined || !("message" in report) || report.message === undefined
    ? report
    : { ...report, message: redactSecret(report.message, credential) }
