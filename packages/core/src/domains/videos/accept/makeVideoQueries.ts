/** Checks video requests against their models, and builds what is asked of the router. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import { makeTraceTagger } from "../../../tenants/auth/makeTraceTagger.ts"
import type { Caller } from "../../../tenants/auth/Caller.ts"
import { Catalog } from "../../../engine/catalog/Catalog.ts"
import { isVideoModel, type Model } from "../../../engine/catalog/model/Model.ts"
import * as VideoCapabilities from "../../../engine/catalog/model/VideoCapabilities.ts"
import type { RouteQuery } from "../../../routing/RouteQuery.ts"
import { Routing } from "../../../routing/Routing.ts"
import { ModelNotFound, WrongOperation } from "../../../routing/RoutingErrors.ts"
import { Settings } from "../../../instance/Settings.ts"
import type { UpstreamDefect } from "../../../engine/upstreams/failures/UpstreamFailure.ts"
import type { VideoCapability } from "../../../engine/upstreams/VideoCapability.ts"
import { omitUndefined } from "../../../values/ownFields.ts"
import { parseCallbackUrl } from "../../../engine/outbound/parseCallbackUrl.ts"
import { InvalidRequest } from "../../../values/errors/RequestErrors.ts"
import { checkVideoRequest } from "../request/checkVideoRequest.ts"
import type { ParsedVideoRequest } from "../request/parseVideoRequest.ts"
import { toRoutingQuery } from "../submit/toVideoPlan.ts"
import { VideoUpstream } from "../poll/VideoUpstream.ts"
import type { VideoCallInput } from "../submit/toVideoCall.ts"
import type { VideoAssignment, VideoJob } from "../VideoJob.ts"
import * as VideoJobId from "../VideoJobId.ts"
import { makeFindVideo } from "../makeFindVideo.ts"

export const makeVideoQueries = Effect.gen(function* () {
  const catalog = yield* Catalog
  const find = yield* makeFindVideo
  const routing = yield* Routing
  const settings = yield* Settings
  const upstream = yield* VideoUpstream

  /** The assignment of the job that the request continues. */
  const getPreviousAssignment = Effect.fnUntraced(function* (
    { account, workspace }: Caller,
    { previous_job_id: id }: ParsedVideoRequest["request"],
    model: Model
  ) {
    if (id === undefined) return undefined
    const { model: previousModel, assignment, status } = yield* find({ account, workspace }, id)
    if (status !== "completed" || assignment === undefined) {
      return yield* failInvalid("previous_job_id", `that job is ${status}, not completed`)
    }
    if (previousModel !== model.id) {
      return yield* failInvalid(
        "model",
        `that job was made by ${previousModel}, which must continue it`
      )
    }
    const isContinued =
      model.video?.supports_continuation ??
      upstream.findCapability(assignment)?.supportsContinuation
    if (isContinued !== true) {
      return yield* failInvalid("previous_job_id", `${model.id} does not continue videos`)
    }
    return assignment
  })

  /** Checks the request against its model, and builds the routing query. */
  const prepareQuery = Effect.fnUntraced(function* (
    caller: Caller,
    { request }: ParsedVideoRequest
  ) {
    const configuration = catalog.current()
    const resolved = configuration.resolve(request.model)
    if (resolved === undefined) {
      const suggestion = yield* routing.suggestModels(caller, request.model)
      return yield* new ModelNotFound({ model: request.model, ...suggestion })
    }
    const { model } = resolved
    if (!isVideoModel(model)) {
      return yield* new WrongOperation({ model: model.id, operation: "videos" })
    }
    const dimensions = yield* Effect.fromResult(
      checkVideoRequest(request, {
        capabilities: model.video ?? VideoCapabilities.unknownCapabilities,
        inputs: model.card.architecture.input_modalities
      })
    )
    const callback =
      request.callback_url === undefined
        ? undefined
        : parseCallbackUrl(request.callback_url, settings)
    if (callback !== undefined && Result.isFailure(callback)) {
      return yield* failInvalid("callback_url", callback.failure)
    }
    const previous = yield* getPreviousAssignment(caller, request, model)
    const wanted: VideoCallInput = {
      id: yield* VideoJobId.next,
      request,
      dimensions,
      ...(previous === undefined
        ? undefined
        : { continues: previous.upstreamId, continued: toContinued(previous) })
    }
    const defects: Array<UpstreamDefect> = []
    const query: RouteQuery<VideoCapability> = {
      ...toRoutingQuery(caller, wanted, model, configuration, (defect) => defects.push(defect)),
      ...(previous === undefined ? undefined : { pin: previous.candidate })
    }
    return { callback: callback?.success, defects, model, query, wanted }
  })

  return { addTraceTags: makeTraceTagger(settings.traceTags), prepareQuery }
})

const failInvalid = (field: string, problem: string) =>
  Effect.fail(new InvalidRequest({ path: [field], problem }))

const toContinued = ({
  maxUsage: { resolution, seconds, videos }
}: VideoAssignment): NonNullable<VideoJob["continued"]> =>
  omitUndefined({ resolution, seconds: seconds && seconds / videos })
