/** Signalbox: the operations of the group `reports`. `npm run docs` writes this file from the contract. */
import type { CallOptions, Connection } from "../Connection.ts"
import type { Paged } from "../Paged.ts"
import type { Preferences } from "./types/Preferences.ts"
import type { Questions } from "./types/Question.ts"
import type { Trace } from "./types/Trace.ts"
import type { VideoPreferredMaxLatency } from "./videos.ts"

export interface Report {
  readonly status: "ready" | "draining" | "storage_unavailable"
  readonly process: string
  readonly models: number
  readonly catalog: {
    readonly source: string
    readonly version: number
    readonly readAt: number
    readonly failure?: {
      readonly at: number
      readonly problem: string
    }
    readonly skipped?: {
      readonly count: number
      readonly entries: ReadonlyArray<{
        readonly model: string
        readonly problem: string
      }>
    }
  }
  readonly running: number
  readonly queues: {
    readonly broadcast: ReadonlyArray<{
      readonly waiting: number
      readonly dropped: number
      readonly failed: number
    }>
    readonly io_log: {
      readonly waiting: number
      readonly dropped: number
      readonly failed: number
    }
    readonly kept_content: {
      readonly waiting: number
      readonly dropped: number
      readonly failed: number
    }
  }
  readonly storage: {
    readonly status: "available" | "unavailable"
    readonly since?: number
    readonly reason?: string
    readonly queues: ReadonlyArray<{
      readonly name: string
      readonly waiting: number
      readonly dropped: number
      readonly failed: number
    }>
  }
  readonly jobs: ReadonlyArray<{
    readonly kind: string
    readonly worked: boolean
    readonly due: number
    readonly later: number
    readonly running: number
    readonly oldestMillis: number
    readonly succeeded: number
    readonly failed: number
    readonly died: number
  }> | null
  readonly at: number
  readonly endpoints: Readonly<Record<string, ReportEndpoint>>
}

export interface ReportEndpoint {
  readonly samples: number
  readonly latency?: ReportLatency
  readonly throughput?: ReportLatency
  readonly throughputSamples: number
  readonly cachedShare?: number
  readonly answers: {
    readonly valid: number
    readonly invalid: number
  }
  readonly errors: Readonly<Record<string, number>>
  readonly rateLimited: number
  readonly recentMillis?: number
  readonly inFlight?: number
  readonly suspected?: number
  readonly uptime: {
    readonly m5?: number
    readonly m30?: number
    readonly d1?: number
  }
  readonly outage?: {
    readonly failures: number
    readonly of: number
    readonly suspected?: number
    readonly processes?: number
  }
  readonly returning?: number
  readonly breaker:
    | {
        readonly state: "closed"
      }
    | {
        readonly state: "open"
        readonly since: number
        readonly cause: string
        readonly nextProbeAt: number
      }
    | {
        readonly state: "ramping"
        readonly since: number
        readonly share: number
      }
    | {
        readonly state: "backing_off"
        readonly since: number
        readonly cause: string
        readonly until: number
      }
  readonly longer?: {
    readonly m30: ReportM30
    readonly d1: ReportM30
  }
}

export interface ReportLatency {
  readonly p50: number
  readonly p75: number
  readonly p90: number
  readonly p95?: number
  readonly p99: number
}

export interface ReportM30 {
  readonly samples: number
  readonly latency?: ReportLatency
  readonly throughput?: ReportLatency
  readonly throughputSamples: number
  readonly cachedShare?: number
  readonly answers: {
    readonly valid: number
    readonly invalid: number
  }
  readonly errors: Readonly<Record<string, number>>
  readonly rateLimited: number
}

export interface ReportDeadStep {
  readonly kind: string
  readonly id: string
  readonly attempts: number
  readonly reason: string
  readonly at: string
  readonly offered_at: string | null
}

export interface ReportPlan {
  readonly models: ReadonlyArray<string>
  readonly strategy: string
  readonly ordered: ReadonlyArray<ReportOrdered>
  readonly rejected: ReadonlyArray<ReportRejected>
  readonly routers?: ReadonlyArray<ReportRouter>
  readonly relax?: ReadonlyArray<{
    readonly rule: string
    readonly source: string
    readonly wanted: string
  }>
  readonly limits?: {
    readonly spending: ReadonlyArray<{
      readonly kind: string
      readonly name?: string
      readonly interval: string
      readonly limit_usd: number
      readonly left_usd: number
      readonly warns?: true
      readonly model?: string
      readonly provider?: string
    }>
    readonly rates: ReadonlyArray<{
      readonly counts: "requests" | "tokens" | "parallel_requests"
      readonly holder: "key" | "account" | "customer"
      readonly limit: number
      readonly window_millis?: number
      readonly running?: number
      readonly left?: number
      readonly resets_in_millis?: number
      readonly now: "admitted" | "refused"
      readonly retry_after_millis?: number
    }>
    readonly endpoints: ReadonlyArray<{
      readonly endpoint: string
      readonly limit: number
      readonly running?: number
      readonly waiting?: number
      readonly now: "runs" | "waits" | "refused"
    }>
    readonly now: "runs" | "waits" | "refused"
  }
  readonly escalation?: {
    readonly models: ReadonlyArray<string>
    readonly strategy: string
    readonly ordered: ReadonlyArray<ReportOrdered>
    readonly rejected: ReadonlyArray<ReportRejected>
    readonly routers?: ReadonlyArray<ReportRouter>
    readonly relax?: ReadonlyArray<{
      readonly rule: string
      readonly source: string
      readonly wanted: string
    }>
  }
  readonly configuration: number
  readonly seed: number
  readonly health: {
    readonly at: number
    readonly endpoints: Readonly<Record<string, ReportEndpoint>>
    readonly controls?: Readonly<
      Record<
        string,
        {
          readonly state: "active" | "drained" | "disabled"
          readonly weight: number
        }
      >
    >
  }
  readonly affinity?:
    | {
        readonly by: "session_id" | "prompt_cache_key" | "opener"
        readonly key: number
        readonly pinned?: string
        readonly returns?: true
        readonly shift?: number
        readonly did: "placed" | "kept" | "moved" | "off"
      }
    | {
        readonly by: "session_id" | "prompt_cache_key" | "opener"
        readonly did: "placed" | "kept" | "moved" | "off"
      }
}

export interface ReportOrdered {
  readonly endpoint: string
  readonly model: string
  readonly provider: string
  readonly credential?: string
  readonly demoted?: ReadonlyArray<ReportDemoted>
  readonly dropped?: ReadonlyArray<string>
  readonly estimated_cost?: number
  readonly last_resort?: true
}

export interface ReportDemoted {
  readonly rule: string
  readonly source: string
  readonly wanted: string
  readonly found: string
}

export interface ReportRejected {
  readonly endpoint: string
  readonly model: string
  readonly provider: string
  readonly credential?: string
  readonly reasons: ReadonlyArray<ReportDemoted>
}

export interface ReportRouter {
  readonly model: string
  readonly kind: "cheapest" | "random"
  readonly free: boolean
  readonly chosen: string | null
  readonly candidates: number
  readonly fitting: number
  readonly reason: string
}

export interface ReportsHealthInput {
  /** Which endpoints the report has: `all` that were tried, those that are `unhealthy`, or `none`. Default: `all`. */
  readonly endpoints?: "all" | "unhealthy" | "none"
}

export interface ReportsHealthOutput {
  readonly data: Report
}

export interface ReportsListDeadStepsInput {
  /** The `next_cursor` of the previous page. */
  readonly starting_after?: string
  /** Number of items to return. */
  readonly limit?: number
}

export interface ReportsListDeadStepsPage {
  readonly data: ReadonlyArray<ReportDeadStep>
  readonly has_more: boolean
  readonly next_cursor?: string
}

export interface ReportsPlanInput {
  readonly request:
    | {
        readonly model: string
        readonly state: string | object
        readonly questions: Questions
        readonly models?: ReadonlyArray<
          | string
          | {
              readonly model: string
              readonly when: unknown
            }
        > | null
        readonly escalate?: {
          readonly to: string | readonly [string, ...ReadonlyArray<string>]
          readonly confidence_below?: number
          readonly probability_between?: readonly [number, ...ReadonlyArray<number>]
          readonly question?: string
          readonly target?: {
            readonly relative_accuracy?: number
            readonly max_share?: number
          }
        } | null
        readonly provider?: Preferences | null
        readonly calibration?: {
          readonly mode: "auto" | "off"
          readonly coverage?: number
        }
        readonly session_id?: string
        readonly trace?: Trace
        readonly user?: string
      }
    | {
        readonly messages: ReadonlyArray<{
          readonly role: string
          readonly [field: string]: unknown
        }>
        readonly model?: string
        readonly models?: ReadonlyArray<string>
        readonly provider?: Preferences
        readonly stream?: boolean
        readonly stream_options?: Readonly<Record<string, unknown>>
        readonly max_tokens?: number
        readonly max_completion_tokens?: number
        readonly session_id?: string
        readonly trace?: Trace
        readonly user?: string
        readonly [field: string]: unknown
      }
    | {
        readonly messages: ReadonlyArray<{
          readonly role: "user" | "assistant" | "system"
          readonly content:
            | string
            | ReadonlyArray<{
                readonly type: string
                readonly [field: string]: unknown
              }>
          readonly [field: string]: unknown
        }>
        readonly model?: string
        readonly max_tokens?: number
        readonly system?:
          | string
          | ReadonlyArray<{
              readonly type: string
              readonly [field: string]: unknown
            }>
        readonly tools?: ReadonlyArray<Readonly<Record<string, unknown>>>
        readonly tool_choice?: Readonly<Record<string, unknown>>
        readonly thinking?: Readonly<Record<string, unknown>>
        readonly output_config?: Readonly<Record<string, unknown>>
        readonly stop_sequences?: ReadonlyArray<string>
        readonly temperature?: number
        readonly top_k?: number
        readonly top_p?: number
        readonly stream?: boolean
        readonly metadata?: Readonly<Record<string, unknown>>
        readonly models?: ReadonlyArray<string>
        readonly fallbacks?:
          | "default"
          | ReadonlyArray<{
              readonly model: string
            }>
        readonly provider?: Preferences
        readonly session_id?: string
        readonly trace?: Trace
        readonly user?: string
        readonly [field: string]: unknown
      }
    | {
        readonly input: string | ReadonlyArray<Readonly<Record<string, unknown>>>
        readonly instructions?: string | null
        readonly model?: string | null
        readonly models?: ReadonlyArray<string> | null
        readonly provider?: Preferences | null
        readonly stream?: boolean | null
        readonly max_output_tokens?: number | null
        readonly tools?: ReadonlyArray<Readonly<Record<string, unknown>>> | null
        readonly text?: Readonly<Record<string, unknown>> | null
        readonly reasoning?: Readonly<Record<string, unknown>> | null
        readonly include?: ReadonlyArray<string> | null
        readonly metadata?: Readonly<Record<string, string>> | null
        readonly store?: boolean | null
        readonly session_id?: string | null
        readonly trace?: Trace | null
        readonly user?: string | null
        readonly [field: string]: unknown
      }
    | {
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
  readonly workspace_id?: string
  readonly seed?: number
  readonly health?: {
    readonly at: number
    readonly endpoints: Readonly<Record<string, ReportEndpoint>>
    readonly controls?: Readonly<
      Record<
        string,
        {
          readonly state: "active" | "drained" | "disabled"
          readonly weight: number
        }
      >
    >
  }
  readonly affinity?:
    | {
        readonly by: "session_id" | "prompt_cache_key" | "opener"
        readonly key: number
        readonly pinned?: string
        readonly returns?: true
        readonly shift?: number
      }
    | {
        readonly by: "session_id" | "prompt_cache_key" | "opener"
      }
}

export interface ReportsPlanOutput {
  readonly data: ReportPlan
}

/** Signalbox. */
export const reports = (connection: Connection) => ({
  /** Get the readiness of the instance and the health of its endpoints. */
  health: (input?: ReportsHealthInput, options?: CallOptions): Promise<ReportsHealthOutput> =>
    connection.call("GET /api/v1/signalbox/health", input, options),
  /** List the steps of durable jobs that were given up, latest first. */
  listDeadSteps: (
    input?: ReportsListDeadStepsInput,
    options?: CallOptions
  ): Paged<ReportsListDeadStepsPage, ReportDeadStep> =>
    connection.list<ReportDeadStep, ReportsListDeadStepsPage>(
      "GET /api/v1/signalbox/dead-steps",
      input,
      options
    ),
  /** Get metrics in the Prometheus text format: requests, attempts, tokens, cost, latency, breakers. */
  metrics: (options?: CallOptions): Promise<string> =>
    connection.text("GET /api/v1/signalbox/metrics", undefined, options),
  /** Plan a Decision, a chat or a video, with reasons, without calling a provider. */
  plan: (input: ReportsPlanInput, options?: CallOptions): Promise<ReportsPlanOutput> =>
    connection.call("POST /api/v1/signalbox/plan", input, options)
})
