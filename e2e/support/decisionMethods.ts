/** The ways in which an upstream provider can be asked for a Decision. */
import type { Upstream } from "@signalbox/core/upstream"
import { openai } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"

/** What both kinds of upstream take. */
interface UpstreamIdentity {
  readonly slug: string
  readonly name: string
  readonly apiKey: string
}

export interface DecisionMethod {
  /** The method that generation records name. */
  readonly name: "native" | "logprobs" | "stated" | "discrete"
  /** The upstream whose server has this root. */
  readonly makeUpstream: (root: string, placed: UpstreamIdentity) => Upstream
  /** What the endpoint supports, by which the ladder chooses its step. */
  readonly supportedParameters: ReadonlyArray<string>
  /** Where requests arrive at the server. */
  readonly path: string
}

const makeChatMethod = {
  makeUpstream: (root: string, placed: UpstreamIdentity) =>
    openai({ ...placed, baseUrl: `${root}/v1` }),
  path: "/v1/chat/completions"
}

export const native: DecisionMethod = {
  name: "native",
  makeUpstream: (root, placed) => openrouter({ ...placed, baseUrl: root }),
  supportedParameters: [],
  path: "/api/alpha/decisions"
}
const logprobs: DecisionMethod = {
  ...makeChatMethod,
  name: "logprobs",
  supportedParameters: ["logprobs", "top_logprobs", "structured_outputs"]
}
const statedProbabilities: DecisionMethod = {
  ...makeChatMethod,
  name: "stated",
  supportedParameters: ["structured_outputs"]
}
const discrete: DecisionMethod = { ...makeChatMethod, name: "discrete", supportedParameters: [] }

export const decisionMethods: ReadonlyArray<DecisionMethod> = [
  native,
  logprobs,
  statedProbabilities,
  discrete
]
