/** The Decision capability of an upstream. */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import type { Questions } from "../../questions/Question.ts"
import type { Verdict } from "../../questions/Answer.ts"
import type { NanoUsd } from "../../values/usage/NanoUsd.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { UpstreamFailure } from "./failures/UpstreamFailure.ts"

/** One Decision for one endpoint of an upstream. */
export interface DecisionCall {
  /** The model's name at the upstream. */
  readonly model: string
  /** The parameters that the endpoint supports, such as `logprobs` and `structured_outputs`; undefined: unknown. */
  readonly supportedParameters: ReadonlySet<string> | undefined
  /** The service tier to request, for endpoints that support `service_tier`. */
  readonly serviceTier?: "flex" | "priority"
  /** The untrusted JSON to evaluate. */
  readonly state: unknown
  readonly questions: Questions
  /** UTF-8 bytes of `state` and `questions` as JSON: an upper bound of the tokens. */
  readonly contentBytes: number
  /** The customer's own credential; absent: the host's is used. */
  readonly credential?: Redacted.Redacted
  /**
   * For an upstream that sends several requests per call: report the usage of each one as soon as it is known, so
   * that a call that is cut off can be charged.
   */
  readonly onUsage: (usage: TokenUsage) => void
}

/** Where the probabilities come from: the provider, token logprobs, numbers the model states, or a bare choice. */
export type DecisionMethod = "native" | "logprobs" | "stated" | "discrete" | (string & {})

/** A verdict for each question, and the usage. */
export interface DecisionReply {
  /** One verdict per question, by question name. */
  readonly verdicts: ReadonlyMap<string, Verdict>
  readonly usage: TokenUsage
  /** The cost that the upstream reports. */
  readonly cost?: NanoUsd
  /** The dated name of the model that answered; absent: not reported. */
  readonly model?: string
  /** The upstream's id of the answer, or of the last one of several. */
  readonly id?: string
  /** The service tier that the upstream reports. */
  readonly serviceTier?: string
  readonly method: DecisionMethod
  /** The smallest share of the probability that fell on the options, 0 to 1 (method `logprobs`). */
  readonly labelMass?: number
}

/**
 * Answers Decisions. A call answers all questions or fails; the core rejects partial replies. Requests are sent once,
 * because retries and fallbacks belong to the router. An interruption must abort them.
 */
export interface DecisionCapability {
  readonly decide: (
    call: DecisionCall
  ) => Effect.Effect<DecisionReply, UpstreamFailure, HttpClient.HttpClient>
  /**
   * Endpoint parameters, one of which it needs to work well, such as `logprobs`; `require_parameters` requires one of
   * them. Absent: it needs none.
   */
  readonly needsOneOf?: ReadonlyArray<string>
  /**
   * It rejects a call with an unsupported parameter instead of ignoring the parameter, so an endpoint without a list
   * of parameters satisfies `require_parameters`. Absent: it may ignore some.
   */
  readonly checksParameters?: true
  /** It uses chat models, so every chat model of the upstream answers Decisions. Absent: its models answer natively. */
  readonly usesChat?: true
  /**
   * It uses the host's own credential only and ignores `credential` of a call, so customers' credentials are not
   * used. Absent: it uses `credential`.
   */
  readonly ignoresCredentials?: true
  /** The maximum usage of the call, which is reserved before it. */
  readonly estimateWorstCase: (call: DecisionCall) => TokenUsage
}
