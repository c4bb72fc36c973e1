/** Requests a Decision in process, with the checks of the HTTP API. */
import * as Effect from "effect/Effect"
import type { CallerConfig } from "../auth/CallerConfig.ts"
import { type Callers, resolveCaller } from "../auth/Callers.ts"
import type { Question } from "../questions/Question.ts"
import { parseInProcess } from "../routing/parseRequest.ts"
import type { DecideResult, DecideRequest } from "./decideTypes.ts"
import type { InvalidRequest, RequestTooLarge } from "../values/errors/RequestErrors.ts"
import { type DecisionError, Decisions } from "./Decisions.ts"
import { parseDecisionRequest } from "./parseDecisionRequest.ts"

/**
 * Answers the questions of `request` for `caller` (default: the application itself). What JSON cannot express is
 * an `InvalidRequest`.
 */
export const decide: <const Q extends Readonly<Record<string, Question>>>(
  request: DecideRequest<Q>,
  caller?: CallerConfig
) => Effect.Effect<
  DecideResult<Q>,
  DecisionError | InvalidRequest | RequestTooLarge,
  Callers | Decisions
> = Effect.fnUntraced(function* <const Q extends Readonly<Record<string, Question>>>(
  request: DecideRequest<Q>,
  caller?: CallerConfig
) {
  const decisions = yield* Decisions
  const decision = yield* decisions.submit(
    yield* resolveCaller(caller),
    yield* parseInProcess(request, parseDecisionRequest)
  )
  // `checkReply` returns an answer to each of these questions; their types cannot be told from JSON.
  return decision as DecideResult<Q>
})
