/** Handlers of videos. */
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { Caller } from "../../auth/Caller.ts"
import { Settings } from "../../Settings.ts"
import { InvalidRequest } from "../../values/RequestErrors.ts"
import { readVideoRequest } from "../../videos/parseVideoRequest.ts"
import { toldVideo } from "../../videos/toldVideo.ts"
import { type VideoOwner, Videos } from "../../videos/Videos.ts"
import { VideoStatus } from "../../videos/VideoStatus.ts"
import { managedVideo, type VideosApi } from "../api/VideosApi.ts"
import type { Handlers } from "../Asked.ts"
import { videoLimit } from "../BodyLimit.ts"
import { byteRange } from "../byteRange.ts"
import { contentAnswer } from "../contentAnswer.ts"
import { NotJson } from "../HttpErrors.ts"
import { isJson } from "../isJson.ts"
import { jsonAnswer } from "../jsonAnswer.ts"
import { managed, manages } from "../managed.ts"
import { type ParameterReader, readParameters } from "../Parameters.ts"
import { readBody } from "../readBody.ts"
import { readPage } from "../readPage.ts"

export const videosHandlers = Effect.gen(function* () {
  const settings = yield* Settings
  const limit = videoLimit(settings)
  const videos = yield* Videos

  return {
    create: Effect.fnUntraced(function* ({ caller, mount, request, routing }) {
      const { headers } = request
      // Refused before its body is read.
      yield* videos.permit(caller)
      const repeatKey = headers["idempotency-key"]
      if (repeatKey !== undefined && !(repeatKey.length >= 1 && repeatKey.length <= 255)) {
        return yield* invalid(["idempotency-key"], "must have 1 to 255 characters")
      }
      if (!isJson(headers)) return yield* new NotJson()
      const { bytes, json } = yield* readBody(request, limit)
      const parsed = yield* Effect.fromResult(
        readVideoRequest(json, { bytes, session: headers["x-session-id"], settings })
      )
      const observer = routing.hearing(parsed.request.model)
      const job = yield* videos.submit(caller, parsed, { mount, repeatKey }, observer)
      return jsonAnswer(routing.beside(toldVideo(job, settings, mount)), 202)
    }),
    // What models make is for keys that run models; management has its list.
    get: ({ caller, mount, params }) =>
      Effect.andThen(
        videos.permit(caller),
        Effect.map(videos.find(ownerOf(caller), params["jobId"] ?? ""), (job) =>
          jsonAnswer(toldVideo(job, settings, mount))
        )
      ),
    content: Effect.fnUntraced(function* ({ caller, params, query, request }) {
      yield* videos.permit(caller)
      const index = yield* Effect.fromResult(
        readParameters(query, (read) => read.whole("index", 0) ?? 0)
      )
      const content = yield* videos.content(ownerOf(caller), params["jobId"] ?? "", {
        index,
        range: byteRange(request)
      })
      return contentAnswer(content)
    }),
    list: managed(({ caller, mount, query }) =>
      Effect.flatMap(Effect.fromResult(readParameters(query, readQuery)), ({ filter, page }) =>
        Effect.map(videos.list(caller, filter, page), ({ rows, total }) =>
          jsonAnswer({
            data: rows.map((job) => managedVideo(job, settings, mount)),
            total_count: total
          })
        )
      )
    ),
    cancel: ({ caller, mount, params }) =>
      Effect.map(videos.cancel(ownerOf(caller), params["jobId"] ?? ""), (job) =>
        jsonAnswer({ data: managedVideo(job, settings, mount) })
      )
  } satisfies Handlers<typeof VideosApi>
})

/** A key sees the jobs of its workspace, a management key those of its account. */
const ownerOf = (caller: Caller): VideoOwner =>
  manages(caller) ? Struct.omit(caller, ["workspace"]) : caller

const invalid = (path: ReadonlyArray<string>, problem: string) =>
  Effect.fail(new InvalidRequest({ path, problem }))

const readQuery = (read: ParameterReader) => {
  const workspace = read.text("workspace_id")
  const status = read.oneOf("status", VideoStatus.literals)
  return {
    page: readPage(read),
    filter: {
      ...(workspace === undefined ? undefined : { workspace }),
      ...(status === undefined ? undefined : { status })
    }
  }
}
