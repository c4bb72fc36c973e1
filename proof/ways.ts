/** The ways in which an upstream provider can be asked for a Decision. */
import type { Upstream } from "@signalbox/core/upstream"
import { openai } from "@signalbox/openai"
import { openrouter } from "@signalbox/openrouter"

/** What both kinds of upstream take. */
interface Placed {
  readonly slug: string
  readonly name: string
  readonly apiKey: string
}

export interface Way {
  /** The method that generation records name. */
  readonly name: "native" | "logprobs" | "stated" | "discrete"
  /** The upstream whose server has this root. */
  readonly upstream: (root: string, placed: Placed) => Upstream
  /** What the endpoint supports, by which the ladder chooses its step. */
  readonly supportedParameters: ReadonlyArray<string>
  /** Where requests arrive at the server. */
  readonly path: string
}

const chat = {
  upstream: (root: string, placed: Placed) => openai({ ...placed, baseUrl: `${root}/v1` }),
  path: "/v1/chat/completions"
}

export const native: Way = {
  name: "native",
  upstream: (root, placed) => openrouter({ ...placed, baseUrl: root }),
  supportedParameters: [],
  path: "/api/alpha/decisions"
}
const logprobs: Way = {
  ...chat,
  name: "logprobs",
  supportedParameters: ["logprobs", "top_logprobs", "structured_outputs"]
}
const stated: Way = { ...chat, name: "stated", supportedParameters: ["structured_outputs"] }
const discrete: Way = { ...chat, name: "discrete", supportedParameters: [] }

export const ways: ReadonlyArray<Way> = [native, logprobs, stated, discrete]
