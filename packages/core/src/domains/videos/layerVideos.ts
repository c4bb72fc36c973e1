/** Accepts, lists and cancels video jobs, and serves their files. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { withTrace } from "../../engine/observability/tracing/traceContext.ts"
import { Routing } from "../../routing/Routing.ts"
import { Workspaces } from "../../tenants/workspaces/Workspaces.ts"
import { VideoFinalizer } from "./finalize/VideoFinalizer.ts"
import { VideoReservations } from "./pricing/VideoReservations.ts"
import { VideoUpstream } from "./poll/VideoUpstream.ts"
import { VideoRejectionRecorder } from "./submit/VideoRejectionRecorder.ts"
import { VideoStore } from "./VideoStore.ts"
import { Videos } from "./Videos.ts"
import { makeVideoAcceptor } from "./accept/makeVideoAcceptor.ts"
import { makeVideoQueries } from "./accept/makeVideoQueries.ts"
import { makeVideoCanceller } from "./makeVideoCanceller.ts"
import { makeContentReader } from "./content/makeContentReader.ts"
import { makeFindVideo } from "./makeFindVideo.ts"

export const layerVideos = Layer.effect(
  Videos,
  Effect.gen(function* () {
    const { cancel } = yield* makeVideoCanceller
    const find = yield* makeFindVideo
    const { getContent } = yield* makeContentReader
    const { addTraceTags, prepareQuery } = yield* makeVideoQueries
    const routing = yield* Routing
    const store = yield* VideoStore
    const { submit } = yield* makeVideoAcceptor
    const workspaces = yield* Workspaces

    return {
      submit: (caller, parsed, submission, observer) =>
        withTrace(
          () => submit(caller, parsed, submission, observer),
          parsed.request.trace,
          "video",
          observer
        ),
      plan: (caller, parsed, replay) =>
        Effect.flatMap(
          prepareQuery(addTraceTags(caller, parsed.request.trace), parsed),
          ({ query }) => routing.plan(query, replay)
        ),
      get: find,
      list: Effect.fnUntraced(function* (actor, { workspace, ...filter }, page) {
        const resolvedFilter =
          workspace === undefined
            ? filter
            : { ...filter, workspace: (yield* workspaces.get(actor, workspace)).id }
        return yield* store.list(actor.account, resolvedFilter, page)
      }),
      cancel,
      getContent
    }
  })
).pipe(
  Layer.provide([
    VideoFinalizer.layer,
    VideoRejectionRecorder.layer,
    VideoReservations.layer,
    VideoUpstream.layer
  ])
)
