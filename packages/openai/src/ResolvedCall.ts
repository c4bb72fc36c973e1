/** A Decision's call with the parameters that its endpoint supports, or is assumed to support. */
import type { DecisionCall } from "@signalbox/core/upstream"

export interface ResolvedCall extends DecisionCall {
  readonly supportedParameters: ReadonlySet<string>
  /** The catalog does not list the parameters. If the endpoint rejects one, another method follows. */
  readonly isAssumed?: true
}

/** Most endpoints with OpenAI's API support these. */
export const assumedParameters: ReadonlySet<string> = new Set(["structured_outputs", "max_tokens"])

/** All models of OpenAI support these; those with reasoning reject `max_tokens`. */
export const assumedOpenAiParameters: ReadonlySet<string> = new Set([
  "structured_outputs",
  "max_completion_tokens"
])

export const resolveCall = (call: DecisionCall, assumed: ReadonlySet<string>): ResolvedCall => {
  const members: Pick<ResolvedCall, "supportedParameters" | "isAssumed"> =
    call.supportedParameters === undefined
      ? { supportedParameters: assumed, isAssumed: true }
      : { supportedParameters: call.supportedParameters }
  // The prototype keeps lazy properties such as `contentBytes` lazy; a spread would evaluate them.
  return Object.create(call, Object.getOwnPropertyDescriptors(members)) as ResolvedCall
}
