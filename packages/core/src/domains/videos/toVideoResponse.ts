/** Converts jobs to the responses of https://openrouter.ai/docs/api_reference/videos, also sent in events. */
import type { SettingsShape } from "../../instance/Settings.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import * as NanoUsd from "../../values/usage/NanoUsd.ts"
import type { VideoJob } from "./VideoJob.ts"
import type { VideoStatus } from "./VideoStatus.ts"

/** A job in the HTTP API. Unknown values are omitted, because clients reject null. */
export interface VideoResponse {
  readonly id: string
  /** A path, which includes the mount. */
  readonly polling_url: string
  /** The same as an absolute URL; present when `settings.publicUrl` is set. */
  readonly absolute_polling_url?: string
  readonly status: VideoStatus
  /** Present after the end. */
  readonly generation_id?: string
  /** Present when completed: absolute when `settings.publicUrl` is set, else paths. */
  readonly unsigned_urls?: ReadonlyArray<string>
  /** Present when completed or charged; `cost` is in USD. */
  readonly usage?: { readonly cost?: number; readonly is_byok: boolean }
  /** Why the files were not copied, and expire when the provider deletes them. */
  readonly content_notice?: string
  readonly error?: string
}

const videosPath = "/api/v1/videos"

/** `mount` is the mount of the current request; default: the mount of the submit. */
export const toVideoResponse = (
  job: VideoJob,
  { publicUrl }: Pick<SettingsShape, "publicUrl">,
  mount = job.mount
): VideoResponse => {
  const { end, id, assignment, status } = job
  const polling_url = `${mount}${videosPath}/${id}`
  const absolute_polling_url =
    publicUrl === undefined ? undefined : publicUrl.replace(/\/+$/, "") + polling_url
  const response = { id, polling_url, ...omitUndefined({ absolute_polling_url }), status }
  if (end === undefined) return response
  return {
    ...response,
    generation_id: id,
    ...(status === "completed" && {
      unsigned_urls: end.outputs.map(
        ({ index }) => `${absolute_polling_url ?? polling_url}/content?index=${index}`
      )
    }),
    ...((status === "completed" || end.cost !== undefined) && {
      usage: {
        ...(end.cost === undefined
          ? undefined
          : { cost: NanoUsd.toUsdNumber(NanoUsd.make(BigInt(end.cost))) }),
        is_byok: assignment?.credential !== undefined
      }
    }),
    ...omitUndefined({ content_notice: end.notStoredReason, error: end.error })
  }
}
