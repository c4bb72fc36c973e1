/** Answers about video jobs in both dialects. */
import type { Answer } from "./Answer.ts"
import * as answer from "./Answer.ts"
import type { MessageContent } from "./Content.ts"
import { type VideoRoute, videoRoute } from "./Dialect.ts"
import { complaint, errorAnswer } from "./errorAnswer.ts"
import { formField } from "./formField.ts"
import { property } from "./property.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import type { ScriptedVideoJob } from "./ScriptedVideos.ts"
import { ScriptError } from "./ScriptError.ts"
import { stretchOf } from "./stretchOf.ts"
import type { VideoBook } from "./VideoBook.ts"

export const videoAnswer = (
  request: RecordedRequest,
  content: MessageContent,
  videos: VideoBook
): Answer => {
  const url = new URL(request.path, "http://upstream")
  const route = videoRoute(request.method, url.pathname)
  if (route === undefined) throw new ScriptError(`${request.path} is no address of videos`)
  if (content.type === "refusal") {
    return errorAnswer(route.dialect, {
      type: "error",
      code: 400,
      status: 400,
      kind: "content_policy_violation",
      message: "The request was refused by the content policy",
      headers: {}
    })
  }
  if (content.type !== "decision") throw new ScriptError(`videos know no ${content.type} answer`)
  switch (route.operation) {
    case "submit":
    case "remix":
      return submitted(request, route, videos)
    case "poll": {
      const job = videos.poll(route.id)
      return job === undefined ? missing(route) : answer.json(jobOf(route, job))
    }
    case "remove":
      return videos.remove(route.id)
        ? answer.json({ id: route.id, object: "video.deleted", deleted: true })
        : missing(route)
    case "content": {
      const job = videos.find(route.id)
      const index = Number(url.searchParams.get("index") ?? 0)
      if (job === undefined || index >= (job.now.outputs ?? 1)) return missing(route)
      return job.now.status === "completed"
        ? bytesOf(request, videos.content)
        : complaint(route.dialect, 409, "The video is not ready")
    }
  }
}

const missing = ({ dialect }: VideoRoute): Answer => complaint(dialect, 404, "No such video")

const submitted = (request: RecordedRequest, route: VideoRoute, videos: VideoBook): Answer => {
  const field = (name: string) => property(request.body, name) ?? formField(request.raw, name)
  const model = route.operation === "remix" ? videos.find(route.id)?.model : request.model
  if (model === undefined) {
    return route.operation === "remix"
      ? missing(route)
      : complaint(route.dialect, 400, "model is required")
  }
  const previous = route.operation === "remix" ? route.id : field("previous_job_id")
  const job = videos.accept(
    {
      model,
      idempotencyKey: request.headers["idempotency-key"],
      continues: typeof previous === "string" ? previous : undefined
    },
    (at) =>
      route.dialect === "videos"
        ? `gen-vid-${1_700_000_000 + at}-${String(at).padStart(20, "0")}`
        : `video_${String(at).padStart(8, "0")}`
  )
  return { ...answer.json(jobOf(route, job)), status: route.dialect === "videos" ? 202 : 200 }
}

const jobOf = ({ dialect }: VideoRoute, { id, model, now }: ScriptedVideoJob): object => {
  const { cost, error, outputs = 1, status } = now
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

const bytesOf = (request: RecordedRequest, whole: Uint8Array): Answer => {
  const headers = { "content-type": "video/mp4", "accept-ranges": "bytes" }
  const stretch = stretchOf(request.headers["range"], whole.length)
  if (stretch === undefined) return { status: 200, headers, body: whole }
  if (stretch === "unsatisfiable") {
    return {
      status: 416,
      headers: { "content-range": `bytes */${whole.length}` },
      body: Buffer.of()
    }
  }
  const { first, last } = stretch
  return {
    status: 206,
    headers: { ...headers, "content-range": `bytes ${first}-${last}/${whole.length}` },
    body: whole.subarray(first, last + 1)
  }
}
