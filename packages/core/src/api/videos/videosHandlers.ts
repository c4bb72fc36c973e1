/** Handlers of the video operations. */
import * as Digest from "effect/crypto/Digest"
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"
import { Settings } from "../../instance/Settings.ts"
import { decodeVideoRequest } from "../../domains/videos/request/parseVideoRequest.ts"
import { toVideoResponse } from "../../domains/videos/toVideoResponse.ts"
import type { VideoJob } from "../../domains/videos/VideoJob.ts"
import { Videos } from "../../domains/videos/Videos.ts"
import { toPageResponse } from "../contract/envelopes.ts"
import { toOffsetRequest } from "../contract/pageQueries.ts"
import { toManagedVideoResponse, type VideosApi } from "./VideosApi.ts"
import { videoLimit } from "../body/BodyLimit.ts"
import { toResourceOwner } from "../../tenants/auth/permissions.ts"
import { contentResponse, parseByteRange } from "./contentResponse.ts"
import { NotJson } from "../errors/HttpErrors.ts"
import { isJson } from "../body/contentType.ts"
import { Listing } from "../../domains/listing/Listing.ts"
import { StreamedReply, toDataEntity } from "../operation/Reply.ts"
import type { Handlers } from "../operation/Handler.ts"

/** What the provider that took the job was not sent. */
const listLost = ({ attempts }: VideoJob): ReadonlyArray<string> =>
  attempts.findLast(({ outcome }) => outcome === "served")?.dropped ?? []

export const videosHandlers = Effect.gen(function* () {
  const settings = yield* Settings
  const limit = videoLimit(settings)
  const listing = yield* Listing
  const provideDigest = Effect.provideService(Digest.Digest, yield* Digest.Digest)
  const videos = yield* Videos

  return {
    submit: Effect.fnUntraced(function* (input, { caller, headers, mount, readBody, routing }) {
      if (!isJson(headers)) return yield* new NotJson()
      const { bytes, json } = yield* readBody(limit)
      const parsed = yield* Effect.fromResult(
        decodeVideoRequest(json, { bytes, session: headers["x-session-id"], settings })
      )
      const job = yield* videos.submit(
        caller,
        parsed,
        { mount, idempotencyKey: input.headers["idempotency-key"] },
        routing.observeModel(parsed.request.model)
      )
      return routing.addMetadata(toVideoResponse(job, settings, mount))
    }),
    get: ({ params }, { caller, mount, routing }) =>
      Effect.map(videos.get(toResourceOwner(caller), params.jobId), (job) => {
        // When the job was submitted, its provider was not known yet.
        routing.onIgnored(listLost(job))
        return toVideoResponse(job, settings, mount)
      }),
    download: ({ params, query }, { caller, headers, method, scope }) =>
      Effect.map(
        Scope.provide(
          videos.getContent(toResourceOwner(caller), params.jobId, {
            index: query.index,
            range: parseByteRange({ headers, method })
          }),
          scope
        ),
        (content) => new StreamedReply(content, () => contentResponse(content))
      ),
    list: ({ query }, { caller, mount }) => {
      const { status, workspace_id: workspace } = query
      const filter = {
        ...(workspace === undefined ? undefined : { workspace }),
        ...(status === undefined ? undefined : { status })
      }
      return Effect.map(videos.list(caller, filter, toOffsetRequest(query)), (page) =>
        toPageResponse(page, (job) => toManagedVideoResponse(job, settings, mount))
      )
    },
    cancel: ({ params }, { caller, mount }) =>
      Effect.map(videos.cancel(toResourceOwner(caller), params.jobId), (job) => ({
        data: toManagedVideoResponse(job, settings, mount)
      })),
    listModels: () => provideDigest(Effect.flatMap(listing.listVideoModels, toDataEntity))
  } satisfies Handlers<typeof VideosApi>
})
