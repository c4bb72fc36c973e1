/** Calls the upstream that has accepted a job, on the credential it was submitted with. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import { Credentials } from "../../byok/Credentials.ts"
import { Catalog } from "../../catalog/Catalog.ts"
import { OutboundHttp } from "../../outbound/OutboundHttp.ts"
import { runWithCredential } from "../../routing/attempt/runWithCredential.ts"
import { ExternalContentClient } from "../../upstreams/http/ExternalContentClient.ts"
import type { UpstreamFailure } from "../../upstreams/failures/UpstreamFailure.ts"
import type { UpstreamVideoJob, VideoCapability } from "../../upstreams/VideoCapability.ts"
import type { VideoJob, VideoAssignment } from "../VideoJob.ts"

export type AssignedJob = Pick<VideoJob, "account"> & { readonly assignment: VideoAssignment }

export const makeVideoUpstream = Effect.gen(function* () {
  const catalog = yield* Catalog
  const client = yield* HttpClient.HttpClient
  const credentials = yield* Credentials
  const outbound = yield* OutboundHttp

  const upstream = {
    /** Undefined when the host has taken the upstream away. */
    findCapability: ({
      provider
    }: Pick<VideoAssignment, "provider">): VideoCapability | undefined =>
      catalog.current().upstreams.get(provider)?.videos,
    /** What upstreams keep elsewhere is fetched from the open internet alone. */
    call: <A, R>(
      { account, assignment: { credential, upstreamId } }: AssignedJob,
      call: (job: UpstreamVideoJob) => Effect.Effect<A, UpstreamFailure, R>
    ): Effect.Effect<A, UpstreamFailure, Exclude<R, HttpClient.HttpClient>> =>
      (credential === undefined
        ? call({ upstreamId })
        : runWithCredential({ secret: credentials.open(account, credential) }, (secret) =>
            call({ upstreamId, credential: secret })
          )
      ).pipe(
        Effect.provideService(ExternalContentClient, outbound),
        Effect.provideService(HttpClient.HttpClient, client)
      )
  }

  return {
    ...upstream,
    /** True when nobody makes the video any more, as far as that can be known. */
    stop: ({ account, assignment }: VideoJob): Effect.Effect<boolean> => {
      if (assignment === undefined) return Effect.succeed(true)
      const cancel = upstream.findCapability(assignment)?.cancel
      return cancel === undefined
        ? Effect.succeed(false)
        : Effect.match(upstream.call({ account, assignment }, cancel), {
            onSuccess: () => true,
            onFailure: () => false
          }).pipe(
            // One that never answers keeps neither whoever cancels nor the end of the job waiting.
            Effect.timeoutOrElse({
              duration: stopTimeoutMillis,
              orElse: () => Effect.succeed(false)
            })
          )
    }
  }
})

/** Milliseconds an upstream has to stop a job. */
const stopTimeoutMillis = 10_000
