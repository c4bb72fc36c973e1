/** What a request asks of routing: the `provider` object of the HTTP API, closed to unknown keys. */

export type Preferences = {
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
  readonly preferred_max_latency?:
    | number
    | {
        readonly p50?: number | null
        readonly p75?: number | null
        readonly p90?: number | null
        readonly p99?: number | null
      }
    | null
  readonly preferred_min_throughput?:
    | number
    | {
        readonly p50?: number | null
        readonly p75?: number | null
        readonly p90?: number | null
        readonly p99?: number | null
      }
    | null
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
}
