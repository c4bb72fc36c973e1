/** Calls the upstream that has accepted a job, on the credential it was submitted with. */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import { Credentials } from "../byok/Credentials.ts"
import { Catalog } from "../catalog/Catalog.ts"
import { OutboundHttp } from "../outbound/OutboundHttp.ts"
import { onOwnCredential } from "../routing/onOwnCredential.ts"
import { ForeignContent } from "../upstreams/ForeignContent.ts"
import type { UpstreamFailure } from "../upstreams/UpstreamFailure.ts"
import type { UpstreamVideoJob, VideoCapability } from "../upstreams/VideoCapability.ts"
import type { VideoJob, VideoPlace } from "./VideoJob.ts"

export type Placed = Pick<VideoJob, "account"> & { readonly place: VideoPlace }

export const reaching = Effect.gen(function* () {
  const catalog = yield* Catalog
  const client = yield* HttpClient.HttpClient
  const credentials = yield* Credentials
  const outbound = yield* OutboundHttp

  const reach = {
    /** Undefined when the host has taken the upstream away. */
    capabilityOf: ({ provider }: Pick<VideoPlace, "provider">): VideoCapability | undefined =>
      catalog.current().upstreams.get(provider)?.videos,
    /** What upstreams keep elsewhere is fetched from the open internet alone. */
    at: <A, R>(
      { account, place: { credential, upstreamId } }: Placed,
      call: (job: UpstreamVideoJob) => Effect.Effect<A, UpstreamFailure, R>
    ): Effect.Effect<A, UpstreamFailure, Exclude<R, HttpClient.HttpClient>> =>
      (credential === undefined
        ? call({ upstreamId })
        : onOwnCredential({ secret: credentials.open(account, credential) }, (secret) =>
            call({ upstreamId, credential: secret })
          )
      ).pipe(
        Effect.provideService(ForeignContent, outbound),
        Effect.provideService(HttpClient.HttpClient, client)
      )
  }

  return {
    ...reach,
    /** True when nobody makes the video any more, as far as that can be known. */
    stop: ({ account, place }: VideoJob): Effect.Effect<boolean> => {
      if (place === undefined) return Effect.succeed(true)
      const cancel = reach.capabilityOf(place)?.cancel
      return cancel === undefined
        ? Effect.succeed(false)
        : Effect.match(reach.at({ account, place }, cancel), {
            onSuccess: () => true,
            onFailure: () => false
          }).pipe(
            // One that never answers keeps neither whoever cancels nor the end of the job waiting.
            Effect.timeoutOrElse({ duration: stopMillis, orElse: () => Effect.succeed(false) })
          )
    }
  }
})

/** Milliseconds an upstream has to stop a job. */
const stopMillis = 10_000
