/** Videos: the operations of the group `videos`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"
import type { FileResponse } from "../readAnswer.ts"
import type { Trace } from "./types/Trace.ts"

export interface VideoPreferredMaxLatency {
  readonly p50?: number | null
  readonly p75?: number | null
  readonly p90?: number | null
  readonly p99?: number | null
}

export interface Video {
  readonly id: string
  readonly polling_url: string
  readonly absolute_polling_url?: string
  readonly status: "pending" | "in_progress" | "completed" | "failed" | "cancelled" | "expired"
  readonly generation_id?: string
  readonly unsigned_urls?: ReadonlyArray<string>
  readonly usage?: {
    readonly cost?: number | null
    readonly is_byok?: boolean
  }
  readonly content_notice?: string
  readonly error?: string
  readonly workspace_id: string
  readonly model: string
  readonly created_at: string
  readonly provider_name: string | null
  readonly polls: number
}

export interface VideoModel {
  readonly id: string
  readonly canonical_slug: string
  readonly name: string
  readonly description: string
  readonly created: number
  readonly hugging_face_id?: string | null
  readonly supported_resolutions: ReadonlyArray<string> | null
  readonly supported_aspect_ratios: ReadonlyArray<string> | null
  readonly supported_sizes: ReadonlyArray<string> | null
  readonly supported_durations: ReadonlyArray<number> | null
  readonly supported_frame_images: ReadonlyArray<string> | null
  readonly generate_audio: boolean | null
  readonly seed: boolean | null
  readonly creativity: ReadonlyArray<number> | null
  readonly upscale_factor: {
    readonly min?: number | null
    readonly max?: number | null
  } | null
  readonly allowed_passthrough_parameters: ReadonlyArray<string>
  readonly supports_continuation?: boolean | null
  readonly pricing_skus?: Readonly<Record<string, string>> | null
}

export interface VideosSubmitInput {
  readonly model: string
  readonly prompt?: string
  readonly aspect_ratio?: string
  readonly resolution?: string
  readonly duration?: number
  readonly size?: string
  readonly seed?: number
  readonly generate_audio?: boolean
  readonly frame_images?: ReadonlyArray<{
    readonly type: "image_url"
    readonly image_url: {
      readonly url: string
    }
    readonly frame_type: "first_frame" | "last_frame"
  }>
  readonly input_references?: ReadonlyArray<
    | {
        readonly type: "image_url"
        readonly image_url: {
          readonly url: string
        }
      }
    | {
        readonly type: "audio_url"
        readonly audio_url: {
          readonly url: string
        }
      }
    | {
        readonly type: "video_url"
        readonly video_url: {
          readonly url: string
        }
      }
  >
  readonly previous_job_id?: string
  readonly callback_url?: string
  readonly provider?: {
    readonly allow_fallbacks?: boolean | null
    readonly data_collection?: "allow" | "deny" | null
    readonly enforce_distillable_text?: boolean | null
    readonly hedge?: boolean | null
    readonly ignore?: ReadonlyArray<string> | null
    readonly max_price?: {
      readonly prompt?: string | number
      readonly completion?: string | number
      readonly image?: string | number
      readonly audio?: string | number
      readonly request?: string | number
    }
    readonly only?: ReadonlyArray<string> | null
    readonly order?: ReadonlyArray<string> | null
    readonly preferred_max_latency?: number | VideoPreferredMaxLatency | null
    readonly preferred_min_throughput?: number | VideoPreferredMaxLatency | null
    readonly quantizations?: ReadonlyArray<
      | "int4"
      | "int8"
      | "fp4"
      | "mxfp4"
      | "nvfp4"
      | "fp6"
      | "fp8"
      | "mxfp8"
      | "fp16"
      | "bf16"
      | "fp32"
      | "unknown"
    > | null
    readonly require_parameters?: boolean | null
    readonly sort?:
      | "price"
      | "throughput"
      | "latency"
      | "exacto"
      | {
          readonly by?: "price" | "throughput" | "latency" | "exacto" | null
          readonly partition?: "model" | "none" | null
        }
      | null
    readonly zdr?: boolean | null
    readonly options?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  }
  readonly creativity?: number
  readonly upscale_factor?: number
  readonly session_id?: string
  readonly trace?: Trace
  readonly user?: string
}

export interface VideosSubmitOutput {
  readonly id: string
  readonly polling_url: string
  readonly absolute_polling_url?: string
  readonly status: "pending" | "in_progress" | "completed" | "failed" | "cancelled" | "expired"
  readonly generation_id?: string
  readonly unsigned_urls?: ReadonlyArray<string>
  readonly usage?: {
    readonly cost?: number | null
    readonly is_byok?: boolean
  }
  readonly content_notice?: string
  readonly error?: string
  readonly service_metadata?: Readonly<Record<string, unknown>> | null
  readonly openrouter_metadata?: Readonly<Record<string, unknown>> | null
}

export interface VideosGetInput {
  readonly jobId: string
}

export interface VideosGetOutput {
  readonly id: string
  readonly polling_url: string
  readonly absolute_polling_url?: string
  readonly status: "pending" | "in_progress" | "completed" | "failed" | "cancelled" | "expired"
  readonly generation_id?: string
  readonly unsigned_urls?: ReadonlyArray<string>
  readonly usage?: {
    readonly cost?: number | null
    readonly is_byok?: boolean
  }
  readonly content_notice?: string
  readonly error?: string
}

export interface VideosDownloadInput {
  readonly jobId: string
  /** Index of the file, from 0. */
  readonly index?: number
}

export interface VideosListInput {
  /** Number of items to skip. */
  readonly offset?: number
  /** Number of items to return. */
  readonly limit?: number
  /** Id or slug of a workspace. Default: all workspaces. */
  readonly workspace_id?: string
  /** Status of the jobs. Default: any. */
  readonly status?: "pending" | "in_progress" | "completed" | "failed" | "cancelled" | "expired"
}

export interface VideosListPage {
  readonly data: ReadonlyArray<Video>
  readonly total_count: number
}

export interface VideosCancelInput {
  readonly jobId: string
}

export interface VideosCancelOutput {
  readonly data: Video
}

export interface VideosListModelsOutput {
  readonly data: ReadonlyArray<VideoModel>
}

/** Videos. */
export const videos = (connection: Connection) => ({
  /** Submit a video job. */
  submit: (input: VideosSubmitInput, options?: CallOptions): Promise<VideosSubmitOutput> =>
    connection.call("POST /api/v1/videos", input, options),
  /** Get the status of a video job. */
  get: (input: VideosGetInput, options?: CallOptions): Promise<VideosGetOutput> =>
    connection.call("GET /api/v1/videos/:jobId", input, options),
  /** Download a file of a completed video job. Supports byte ranges. */
  download: (input: VideosDownloadInput, options?: CallOptions): Promise<FileResponse> =>
    connection.file("GET /api/v1/videos/:jobId/content", input, options),
  /** List the video jobs of the account, newest first. */
  list: (input?: VideosListInput, options?: CallOptions): Paged<VideosListPage, Video> =>
    connection.list<Video, VideosListPage>("GET /api/v1/signalbox/videos", input, options),
  /** Cancel a video job of the key's workspace, or with a management key, of the account. */
  cancel: (input: VideosCancelInput, options?: CallOptions): Promise<VideosCancelOutput> =>
    connection.call("POST /api/v1/signalbox/videos/:jobId/cancel", input, options),
  /** List video models and their capabilities. */
  listModels: (options?: CallOptions): Promise<VideosListModelsOutput> =>
    connection.call("GET /api/v1/videos/models", undefined, options)
})
