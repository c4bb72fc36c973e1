/** A video job as callers and receivers of events are told of it. Source: wire, VideoGenerationResponse. */
import type { SettingsShape } from "../Settings.ts"
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import type { VideoJob } from "./VideoJob.ts"
import type { VideoStatus } from "./VideoStatus.ts"

/** What is not known is left out: clients refuse a null. */
export interface VideoResponse {
  readonly id: string
  /** With the mount: below `settings.publicUrl`, else a path. */
  readonly polling_url: string
  readonly status: VideoStatus
  /** Once it is over. */
  readonly generation_id?: string
  /** Once it is completed: where to download from, as `polling_url`. */
  readonly unsigned_urls?: ReadonlyArray<string>
  /** Once it is completed; `cost` in USD. */
  readonly usage?: { readonly cost?: number; readonly is_byok: boolean }
  /** Why its files may be had for as long as the provider has them only. */
  readonly content_notice?: string
  readonly error?: string
}

/** Below the mount. */
const videosPath = "/api/v1/videos"

/** `mount` is where whoever asks found us; default: where it was submitted. */
export const toVideoResponse = (
  job: VideoJob,
  { publicUrl = "" }: Pick<SettingsShape, "publicUrl">,
  mount = job.mount
): VideoResponse => {
  const { end, id, assignment, status } = job
  const polling_url = `${publicUrl.replace(/\/+$/, "")}${mount}${videosPath}/${id}`
  const response = { id, polling_url, status }
  if (end === undefined) return response
  return {
    ...response,
    generation_id: id,
    ...(status === "completed"
      ? {
          unsigned_urls: end.outputs.map(({ index }) => `${polling_url}/content?index=${index}`),
          usage: {
            ...(end.cost === undefined
              ? undefined
              : { cost: NanoUsd.toUsdNumber(NanoUsd.make(BigInt(end.cost))) }),
            is_byok: assignment?.credential !== undefined
          }
        }
      : undefined),
    ...(end.notStoredReason === undefined ? undefined : { content_notice: end.notStoredReason }),
    ...(end.error === undefined ? undefined : { error: end.error })
  }
}
