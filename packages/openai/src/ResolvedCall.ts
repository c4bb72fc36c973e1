/** A Decision's call together with what is taken to be supported where nobody says. */
import type { DecisionCall } from "@signalbox/core/upstream"

export interface ResolvedCall extends DecisionCall {
  readonly supportedParameters: ReadonlySet<string>
  /** Nobody says what the endpoint supports: what it refuses is asked for in another way. */
  readonly isAssumed?: true
}

/** What most endpoints of the dialect support. */
export const assumedParameters: ReadonlySet<string> = new Set(["structured_outputs", "max_tokens"])

/** What all models of OpenAI itself support; those that reason refuse `max_tokens`. */
export const assumedOpenAiParameters: ReadonlySet<string> = new Set([
  "structured_outputs",
  "max_completion_tokens"
])

export const resolveCall = (call: DecisionCall, assumed: ReadonlySet<string>): ResolvedCall => {
  const members: Pick<ResolvedCall, "supportedParameters" | "isAssumed"> =
    call.supportedParameters === undefined
      ? { supportedParameters: assumed, isAssumed: true }
      : { supportedParameters: call.supportedParameters }
  // It inherits the rest, for `measureContent` is worked out when somebody asks for it.
  return Object.create(call, Object.getOwnPropertyDescriptors(members)) as ResolvedCall
}
