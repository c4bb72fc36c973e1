/** The methods for requesting a Decision from an upstream provider. */
import type { Upstream } from "@signalbox/core/upstream"
import { openai } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"

/** The options of both kinds of upstream. */
interface UpstreamIdentity {
  readonly slug: string
  readonly name: string
  readonly apiKey: string
}

export interface DecisionMethod {
  /** The name of the method in generation records. */
  readonly name: "native" | "logprobs" | "stated" | "discrete"
  /** Creates the upstream for a server with this root. */
  readonly makeUpstream: (root: string, placed: UpstreamIdentity) => Upstream
  /** The supported parameters of the endpoint, which determine the method. */
  readonly supportedParameters: ReadonlyArray<string>
  /** The path of requests at the server. */
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
