/** Handlers of videos. */
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import type { Caller } from "../../auth/Caller.ts"
import { Settings } from "../../Settings.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { decodeVideoRequest } from "../../videos/request/parseVideoRequest.ts"
import { toVideoResponse } from "../../videos/toVideoResponse.ts"
import { type VideoOwner, Videos } from "../../videos/Videos.ts"
import { VideoStatus } from "../../videos/VideoStatus.ts"
import { toManagedVideoResponse, type VideosApi } from "../api/VideosApi.ts"
import type { Handlers } from "../legacyHandlers.ts"
import { videoLimit } from "../BodyLimit.ts"
import { parseByteRange } from "../parseByteRange.ts"
import { contentResponse } from "../contentResponse.ts"
import { NotJson } from "../HttpErrors.ts"
import { isJson } from "../isJson.ts"
import { jsonResponse } from "../jsonResponse.ts"
import { requireManagementKey, canManageAccount } from "../requireManagementKey.ts"
import { type ParameterReader, parseParameters } from "../QueryParameters.ts"
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
      yield* videos.requirePermission(caller)
      const idempotencyKey = headers["idempotency-key"]
      if (
        idempotencyKey !== undefined &&
        !(idempotencyKey.length >= 1 && idempotencyKey.length <= 255)
      ) {
        return yield* failInvalid(["idempotency-key"], "must have 1 to 255 characters")
      }
      if (!isJson(headers)) return yield* new NotJson()
      const { bytes, json } = yield* readBody(request, limit)
      const parsed = yield* Effect.fromResult(
        decodeVideoRequest(json, { bytes, session: headers["x-session-id"], settings })
      )
      const observer = routing.observeModel(parsed.request.model)
      const job = yield* videos.submit(caller, parsed, { mount, idempotencyKey }, observer)
      return jsonResponse(routing.addMetadata(toVideoResponse(job, settings, mount)), 202)
    }),
    // What models make is for keys that run models; management has its list.
    get: ({ caller, mount, params }) =>
      Effect.andThen(
        videos.requirePermission(caller),
        Effect.map(videos.get(toVideoOwner(caller), params["jobId"] ?? ""), (job) =>
          jsonResponse(toVideoResponse(job, settings, mount))
        )
      ),
    content: Effect.fnUntraced(function* ({ caller, params, query, request }) {
      yield* videos.requirePermission(caller)
      const index = yield* Effect.fromResult(
        parseParameters(query, (read) => read.whole("index", 0) ?? 0)
      )
      const content = yield* videos.getContent(toVideoOwner(caller), params["jobId"] ?? "", {
        index,
        range: parseByteRange(request)
      })
      return contentResponse(content)
    }),
    list: requireManagementKey(({ caller, mount, query }) =>
      Effect.flatMap(Effect.fromResult(parseParameters(query, readQuery)), ({ filter, page }) =>
        Effect.map(videos.list(caller, filter, page), ({ rows, total }) =>
          jsonResponse({
            data: rows.map((job) => toManagedVideoResponse(job, settings, mount)),
            total_count: total
          })
        )
      )
    ),
    cancel: ({ caller, mount, params }) =>
      Effect.map(videos.cancel(toVideoOwner(caller), params["jobId"] ?? ""), (job) =>
        jsonResponse({ data: toManagedVideoResponse(job, settings, mount) })
      )
  } satisfies Handlers<typeof VideosApi>
})

/** A key sees the jobs of its workspace, a management key those of its account. */
const toVideoOwner = (caller: Caller): VideoOwner =>
  canManageAccount(caller) ? Struct.omit(caller, ["workspace"]) : caller

const failInvalid = (path: ReadonlyArray<string>, problem: string) =>
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
