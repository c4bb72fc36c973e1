/** How a request was routed: what callers get as `service_metadata`, and calls in process by `onRoute`. */
import type { RouterChoice } from "./explainRouters.ts"
import type { FailureKind } from "../engine/upstreams/failures/UpstreamFailure.ts"
import type { AppliedMap } from "../questions/Answer.ts"
import type { RouteAttempt } from "./attempt/RouteAttempt.ts"
import type { AffinityReport } from "./plan/affinity/reportAffinity.ts"
import type { PipelineStage } from "./PipelineStage.ts"
import type { ActiveFilter } from "./plan/findSmallestRelaxation.ts"
import type { Demotion, Exclusion, Reason } from "./Reason.ts"

/** An endpoint, and whether a customer's own credential would be used there. */
interface RoutedEndpoint {
  /** `<model>@<provider>`. */
  readonly endpoint: string
  readonly is_byok?: true
}

/** One attempt; without an `error` and not `lost`, it served. */
export interface AttemptMetadata {
  /** The provider's display name. */
  readonly provider: string
  readonly model: string
  /** The status of the provider; 200: it served, 0: there was none. */
  readonly status: number
  readonly is_byok?: true
  readonly error?: FailureKind
  /** What the provider was sent in another form than the request has it. */
  readonly changed?: NonNullable<RouteAttempt["changed"]>
  readonly hedge?: NonNullable<RouteAttempt["hedge"]>
  /** Another attempt answered first. */
  readonly lost?: NonNullable<RouteAttempt["lost"]>
}

/** The plan, the attempts, and the reasons for both. Has no content, keys or prices paid. */
export interface RoutingMetadata {
  /** The model as the request names it. */
  readonly requested: string
  /** `free` and `auto` for a model that stands for others, with free endpoints alone or not. */
  readonly strategy: "auto" | "direct" | "fallback" | "free" | "latest"
  readonly region: null
  /** One sentence. */
  readonly summary: string
  /** The number of the attempt that served, from 1; 0: none did. */
  readonly attempt: number
  readonly is_byok: boolean
  readonly endpoints: {
    readonly total: number
    /** In the order in which they would be tried. */
    readonly available: ReadonlyArray<
      RoutedEndpoint & {
        readonly provider: string
        readonly model: string
        readonly selected: boolean
      }
    >
  }
  readonly attempts: ReadonlyArray<AttemptMetadata>
  /** What ordered the endpoints: `order`, `sort:...`, or the name of the strategy. */
  readonly ordered_by: string
  readonly affinity?: Pick<AffinityReport, "by" | "did">
  readonly demoted: ReadonlyArray<
    RoutedEndpoint & { readonly reasons: ReadonlyArray<Reason<Demotion>> }
  >
  readonly dropped_parameters: ReadonlyArray<
    RoutedEndpoint & { readonly parameters: ReadonlyArray<string> }
  >
  readonly rejected: ReadonlyArray<
    RoutedEndpoint & { readonly reasons: ReadonlyArray<Reason<Exclusion>> }
  >
  /** What the requested models that stand for others chose. */
  readonly routers?: ReadonlyArray<RouterChoice>
  /** The fewest filters to relax, where no endpoint may serve. */
  readonly relax?: ReadonlyArray<ActiveFilter>
  /**
   * The guardrails whose content filters found something, a prompt that was shortened, and an answer that was repaired; absent:
   * nothing of that.
   */
  readonly pipeline?: ReadonlyArray<PipelineStage>
  /** What calibration did to the answers of a Decision, by the names of its questions. */
  readonly calibration?: {
    readonly questions: Readonly<Record<string, AppliedMap>>
    readonly label_wanted?: true
  }
  /** The questions of a Decision that another model was asked again. */
  readonly escalation?: EscalationMetadata
}

export interface EscalationMetadata {
  readonly to: string
  /** The confidence below which questions were asked again; null: all were. */
  readonly threshold?: number | null
  readonly questions: Readonly<Record<string, true>>
  /** Why the first answers stand. */
  readonly failed?: string
  /** Why all questions were asked again. */
  readonly reason?: string
}
