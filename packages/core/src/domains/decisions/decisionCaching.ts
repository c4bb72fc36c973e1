/** How the answers of a Decision are stored for Decisions that are the same. Loaded when one first uses the cache. */
import * as Effect from "effect/Effect"
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import type { DecisionReply } from "../../engine/upstreams/DecisionCapability.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { AnswerCaching } from "../../routing/cache/AnswerCaching.ts"
import type { AttemptSuccess } from "../../routing/RouteWork.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { ParsedDecision } from "./parseDecisionRequest.ts"

type Serve<A> = (
  endpoint: Endpoint,
  reply: DecisionReply
) => Effect.Effect<AttemptSuccess<A>, UpstreamFailure>

/** Questions of an escalated Decision may be asked again at other models, so it is not stored. `serve` checks and calibrates. */
export const makeDecisionCaching = <A extends { readonly reply: DecisionReply }>(
  { fallbacks, request }: ParsedDecision,
  serve: Serve<A>
): AnswerCaching<A> => ({
  content:
    fallbacks?.escalation === undefined
      ? { state: request.state, questions: request.questions }
      : undefined,
  write: ({ reply: { labelMass, method, model, serviceTier, verdicts } }) =>
    JSON.stringify({
      ...omitUndefined({ labelMass, model, serviceTier }),
      method,
      usage: noUsage,
      verdicts: Array.from(verdicts)
    }),
  // As it is calibrated now.
  replay: (written, { endpoint }) =>
    Effect.suspend(() => {
      const { verdicts, ...reply } = JSON.parse(written)
      return Effect.match(serve(endpoint, { ...reply, verdicts: new Map(verdicts) }), {
        onSuccess: ({ value }) => value,
        onFailure: () => undefined
      })
    })
})

const noUsage: TokenUsage = { inputTokens: 0, outputTokens: 0 }
