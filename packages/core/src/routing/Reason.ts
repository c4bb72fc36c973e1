/** Why a plan leaves a candidate out or moves it back: a closed set of rules, with what each wanted and found. */
import type { Candidate } from "./Candidate.ts"

/** Rules that leave a candidate out. */
export type Exclusion =
  | "only"
  | "ignore"
  | "allowed_models"
  | "ignored_models"
  | "data_region"
  | "order"
  | "allow_fallbacks"
  | "tier"
  | "zdr"
  | "data_collection"
  | "distillable"
  | "quantization"
  | "max_price"
  | "unknown_price"
  | "server_tools"
  | "input_modalities"
  | "context_length"
  | "max_completion_tokens"
  | "require_parameters"
  | "preferred_parameters"
  | "dialect"
  | "prefill"
  | "pin"
  | "byok_required"
  | "byok_only"
  | "breaker"
  | "rate_limited"
  | "drained"
  | "disabled"

/** Rules that move a candidate behind those that pass them. */
export type Demotion =
  | "preferred_max_latency"
  | "preferred_min_throughput"
  | "uptime"
  | "outage"
  | "ramp"
  | "weight"
  | "refused"
  | "reasoning"

/** Why a candidate is left out or moved back. */
export interface Reason<Rule = Exclusion | Demotion> {
  readonly rule: Rule
  /** Who set the rule: `request`, `health`, `operator`, or the source of a constraint. */
  readonly source: string
  /** What the rule asks, such as `p90 latency <= 2 s`. */
  readonly wanted: string
  /** What the candidate has, such as `4.1 s over 212 samples`. */
  readonly found: string
}

/** A candidate that a plan leaves out. */
export interface RejectedCandidate {
  readonly candidate: Candidate
  /** Every rule it fails; never empty. */
  readonly reasons: ReadonlyArray<Reason<Exclusion>>
}

/** A candidate that a plan moves behind others. */
export interface DemotedCandidate {
  readonly candidate: Candidate
  /** Every rule that moves it back; never empty. */
  readonly reasons: ReadonlyArray<Reason<Demotion>>
}
