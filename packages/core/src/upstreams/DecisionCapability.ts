/** What an upstream must be able to do to answer Decisions. */
import type * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Redacted from "effect/Redacted"
import type { Questions } from "../questions/Question.ts"
import type { Verdict } from "../questions/Verdict.ts"
import type { NanoUsd } from "../values/usage/NanoUsd.ts"
import type { TokenUsage } from "../values/usage/TokenUsage.ts"
import type { UpstreamFailure } from "./failures/UpstreamFailure.ts"

/** One Decision as it reaches one endpoint of one upstream. */
export interface DecisionCall {
  /** The model's name at the upstream. */
  readonly model: string
  /** The parameters the endpoint supports, such as `logprobs` and `structured_outputs`; undefined: nobody says. */
  readonly supportedParameters: ReadonlySet<string> | undefined
  /** The service tier that the endpoint sells, where it takes `service_tier`: what it is to be asked for. */
  readonly serviceTier?: "flex" | "priority"
  /** What to evaluate: any JSON, from an untrusted source. */
  readonly state: unknown
  readonly questions: Questions
  /** UTF-8 bytes of `state` and `questions` as JSON; a token is never less than one of them. */
  readonly contentBytes: number
  /** The customer's own credential, when this attempt runs on one. */
  readonly credential?: Redacted.Redacted
  /**
   * Told what each request used as soon as it is known, it lets a call that is cut off be paid for. For
   * an upstream that makes several requests; it then tells of all of them.
   */
  readonly onUsage: (usage: TokenUsage) => void
}

/** How the numbers came about: read natively, from token logprobs, as stated, or as a bare choice. */
export type DecisionMethod = "native" | "logprobs" | "stated" | "discrete" | (string & {})

/** A verdict for each question and what they used. */
export interface DecisionReply {
  /** One verdict per question, by question name. */
  readonly verdicts: ReadonlyMap<string, Verdict>
  readonly usage: TokenUsage
  /** What the upstream itself says the call cost. */
  readonly cost?: NanoUsd
  /** The dated name of the model that answered, where the upstream tells. */
  readonly model?: string
  /** What the upstream calls its answer, of several the last one. */
  readonly id?: string
  /** The tier it says it served the call on. */
  readonly serviceTier?: string
  readonly method: DecisionMethod
  /** The smallest share of probability that fell on the options, 0..1 (method `logprobs`). */
  readonly labelMass?: number
}

/**
 * Answers all questions of a call or fails as a whole; a partial reply is refused by the core.
 * It makes each request once: retries and fallbacks belong to the router alone. An interruption
 * must abort what is in flight.
 */
export interface DecisionCapability {
  readonly decide: (
    call: DecisionCall
  ) => Effect.Effect<DecisionReply, UpstreamFailure, HttpClient.HttpClient>
  /**
   * Endpoint parameters of which it needs one to do its best, such as `logprobs`: `require_parameters`
   * insists on one of them. Absent: it needs none.
   */
  readonly needsOneOf?: ReadonlyArray<string>
  /**
   * It refuses a call with a parameter that its model does not take, and never ignores one: an endpoint without a
   * list of its own then satisfies `require_parameters`. Absent: it may ignore some.
   */
  readonly checksParameters?: true
  /**
   * It asks chat models, so that every model which chats here answers Decisions too. Absent: its models answer them
   * natively.
   */
  readonly usesChat?: true
  /**
   * It runs on the host's own credential alone and does not heed `credential` of a call, so that no
   * customer's is used there. Absent: it heeds it.
   */
  readonly ignoresCredentials?: true
  /** The most the call can use; what a budget reserves before it is made. */
  readonly estimateWorstCase: (call: DecisionCall) => TokenUsage
}
