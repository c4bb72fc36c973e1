/** What is kept of one request: who asked, what was tried, who answered, what it cost. */
import type { KeyHash } from "../values/ids/KeyHash.ts"
import type { TokenUsage } from "../values/usage/TokenUsage.ts"
import type { AccountId } from "../values/ids/AccountId.ts"
import type { GenerationId } from "../values/ids/GenerationId.ts"
import type { NanoUsd } from "../values/usage/NanoUsd.ts"
import type { OperationName } from "../values/OperationName.ts"
import type { Trace } from "../values/Trace.ts"
import type { WorkspaceId } from "../values/ids/WorkspaceId.ts"

/** A statement of a provider that is beyond what the request can have used, or beyond its price. */
export interface ImplausibleReport {
  /** Which: a count of the usage such as `outputTokens`, or `cost`. */
  readonly what: string
  /** What it said: a count, or USD. */
  readonly reported: number
  /** The most that is charged for it. */
  readonly atMost: number
}

/** One attempt of a request. */
export interface GenerationAttempt {
  readonly endpoint: string
  readonly provider: string
  /** `served`, the kind of the failure, or `interrupted` or `defect` for what came to no end. */
  readonly outcome: string
  readonly status?: number
  readonly latencyMillis: number
  /** Of a stream that began: how long its first event took. */
  readonly firstEventMillis?: number
  /** Parameters of the request that it was not sent, because its list does not have them. */
  readonly dropped?: ReadonlyArray<string>
  readonly usage?: TokenUsage
  /** True when `usage` is an estimate, because the provider did not come to say what it was. */
  readonly estimated?: true
  /** What the provider stated and cannot be: `usage` and `cost` are the most that can. */
  readonly implausible?: ImplausibleReport
  readonly cost?: NanoUsd
  /** True when it ran on a customer's own credential: it cost nothing here. */
  readonly isByok?: true
  /** The id of that credential. */
  readonly credential?: string
  /** What the provider charges the customer for it, as far as it is known. */
  readonly upstreamCost?: NanoUsd
}

/** A rule, what it wanted and what was found. */
export interface GenerationReason {
  readonly endpoint: string
  /** The id of the customer's own credential it is about; absent: shared capacity. */
  readonly credential?: string
  readonly rule: string
  readonly source: string
  readonly wanted: string
  readonly found: string
}

/** The record of one request. */
export interface Generation {
  readonly id: GenerationId
  readonly account: AccountId
  readonly workspace: WorkspaceId
  readonly keyHash?: KeyHash
  readonly operation: OperationName
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly latencyMillis: number
  readonly requestedModel: string
  /** Absent when nobody answered. */
  readonly model?: string
  readonly provider?: string
  /** The sums over all attempts, the failed ones too, as far as they are known. */
  readonly usage?: TokenUsage
  readonly cost?: NanoUsd
  /** True when what served ran on a customer's own credential. */
  readonly isByok?: true
  /** What providers charge the customer, on whose own credentials attempts ran, as far as it is known. */
  readonly upstreamCost?: NanoUsd
  /** How the numbers of a Decision came about, and how much probability fell on its options. */
  readonly method?: string
  readonly labelMass?: number
  /** Why a chat ended, by its first choice. */
  readonly finishReason?: string
  /** The same as the maker of the answer calls it. */
  readonly nativeFinishReason?: string
  /** The tier its provider says it was served on. */
  readonly serviceTier?: string
  /** What its provider calls the answer. */
  readonly upstreamId?: string
  /** True when the answer was asked for piece by piece. */
  readonly streamed?: true
  readonly attempts: ReadonlyArray<GenerationAttempt>
  /** The version of the configuration it was routed by, or could not be. */
  readonly configuration: number
  /** What put the candidates in order. */
  readonly strategy?: string
  /** Why candidates were left out. */
  readonly rejected: ReadonlyArray<GenerationReason>
  /** Why candidates were moved behind the others. */
  readonly demoted: ReadonlyArray<GenerationReason>
  /** The tag of the error the caller got. */
  readonly error?: string
  readonly session?: string
  readonly user?: string
  readonly trace?: Trace
}
