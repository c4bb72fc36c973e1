/** Answers requests about video jobs of all APIs. */
import type { ScriptedResponse } from "./ScriptedResponse.ts"
import * as answer from "./ScriptedResponse.ts"
import type { MessageContent } from "./Content.ts"
import { type VideoRoute, parseVideoRoute } from "./Dialect.ts"
import { toScriptErrorResponse, toErrorResponse } from "./toErrorResponse.ts"
import { findFormField } from "./findFormField.ts"
import { getProperty } from "./getProperty.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import type { ScriptedVideoJob } from "./ScriptedVideos.ts"
import { ScriptError } from "./ScriptError.ts"
import { parseRange } from "./parseRange.ts"
import type { VideoJobs } from "./VideoJobs.ts"

export const toVideoResponse = (
  request: RecordedRequest,
  content: MessageContent,
  videos: VideoJobs
): ScriptedResponse => {
  const url = new URL(request.path, "http://upstream")
  const route = parseVideoRoute(request.method, url.pathname)
  if (route === undefined) throw new ScriptError(`${request.path} is not a path of videos`)
  if (content.type === "refusal") {
    return toErrorResponse(route.dialect, {
      type: "error",
      code: 400,
      status: 400,
      kind: "content_policy_violation",
      message: "The request was refused by the content policy",
      headers: {}
    })
  }
  if (content.type !== "decision") throw new ScriptError(`videos have no ${content.type} answer`)
  switch (route.operation) {
    case "submit":
    case "remix":
      return submitJob(request, route, videos)
    case "poll": {
      const job = videos.poll(route.id || String(getProperty(request.body, "operationName")))
      return job === undefined ? toNotFound(route) : answer.makeJsonResponse(toJobBody(route, job))
    }
    case "remove":
      return videos.remove(route.id)
        ? answer.makeJsonResponse({ id: route.id, object: "video.deleted", deleted: true })
        : toNotFound(route)
    case "content": {
      const job = videos.find(route.id)
      const index = Number(url.searchParams.get("index") ?? 0)
      if (job === undefined || index >= (job.now.outputs ?? 1)) return toNotFound(route)
      return job.now.status === "completed"
        ? toContentResponse(request, videos.content)
        : toScriptErrorResponse(route.dialect, 409, "The video is not ready")
    }
  }
}

const toNotFound = ({ dialect }: VideoRoute): ScriptedResponse =>
  toScriptErrorResponse(dialect, 404, "No such video")

const submitJob = (
  request: RecordedRequest,
  route: VideoRoute,
  videos: VideoJobs
): ScriptedResponse => {
  const field = (name: string) =>
    getProperty(request.body, name) ?? findFormField(request.raw, name)
  const model = route.operation === "remix" ? videos.find(route.id)?.model : request.model
  if (route.dialect === "google_videos" && !Array.isArray(field("instances"))) {
    return toScriptErrorResponse(route.dialect, 400, "instances is required")
  }
  if (model === undefined) {
    return route.operation === "remix"
      ? toNotFound(route)
      : toScriptErrorResponse(route.dialect, 400, "model is required")
  }
  const previous = route.operation === "remix" ? route.id : field("previous_job_id")
  const job = videos.accept(
    {
      model,
      idempotencyKey: request.headers["idempotency-key"],
      continues: typeof previous === "string" ? previous : undefined
    },
    (at) => nameJob(request, route, String(at))
  )
  return {
    ...answer.makeJsonResponse(toJobBody(route, job)),
    status: route.dialect === "videos" ? 202 : 200
  }
}

const nameJob = ({ path }: RecordedRequest, { dialect }: VideoRoute, at: string): string => {
  switch (dialect) {
    case "videos":
      return `gen-vid-${1_700_000_000 + Number(at)}-${at.padStart(20, "0")}`
    case "openai_videos":
      return `video_${at.padStart(8, "0")}`
    case "google_videos": {
      const [, model = ""] = /(projects\/.+):predictLongRunning/.exec(path) ?? []
      return `${model}/operations/${at.padStart(8, "0")}`
    }
  }
}

const toJobBody = ({ dialect }: VideoRoute, job: ScriptedVideoJob): object => {
  const { id, model, now } = job
  const { cost, error, outputs = 1, status } = now
  if (dialect === "google_videos") return toOperation(job)
  if (dialect === "openai_videos") {
    return {
      id,
      object: "video",
      model,
      status: status === "pending" ? "queued" : status,
      progress: status === "completed" ? 100 : 0,
      created_at: 1_700_000_000,
      completed_at: status === "completed" ? 1_700_000_060 : null,
      expires_at: status === "completed" ? 1_700_003_660 : null,
      seconds: "4",
      size: "1280x720",
      error: error ?? null,
      remixed_from_video_id: null
    }
  }
  return {
    id,
    polling_url: `/api/v1/videos/${id}`,
    status,
    ...(error === undefined ? undefined : { error: error.message }),
    ...(status === "completed"
      ? {
          generation_id: `gen-${id}`,
          unsigned_urls: Array.from(
            { length: outputs },
            (_, index) => `https://elsewhere.example/videos/${id}/content?index=${index}`
          ),
          ...(cost === undefined ? undefined : { usage: { cost, is_byok: false } })
        }
      : undefined)
  }
}

/** An operation, which has no other states than that it is done. */
const toOperation = ({ id, now }: ScriptedVideoJob): object => {
  const { error, outputs = 1, status } = now
  if (error !== undefined) {
    return { name: id, done: true, error: { code: 13, message: error.message } }
  }
  if (status !== "completed") return { name: id }
  const videos = Array.from({ length: outputs }, (_, index) => ({
    gcsUri: `gs://contract/videos/${id}/sample_${index}.mp4`,
    mimeType: "video/mp4"
  }))
  const type = "type.googleapis.com/cloud.ai.large_models.vision.GenerateVideoResponse"
  return { name: id, done: true, response: { "@type": type, raiMediaFilteredCount: 0, videos } }
}

const toContentResponse = (request: RecordedRequest, whole: Uint8Array): ScriptedResponse => {
  const headers = { "content-type": "video/mp4", "accept-ranges": "bytes" }
  const range = parseRange(request.headers["range"], whole.length)
  if (range === undefined) return { status: 200, headers, body: whole }
  if (range === "unsatisfiable") {
    return {
      status: 416,
      headers: { "content-range": `bytes */${whole.length}` },
      body: Buffer.of()
    }
  }
  const { first, last } = range
  return {
    status: 206,
    headers: { ...headers, "content-range": `bytes ${first}-${last}/${whole.length}` },
    body: whole.subarray(first, last + 1)
  }
}
