/** Requests a Decision in process, with the checks of the HTTP API. */
import * as Effect from "effect/Effect"
import type { CallerConfig } from "../auth/CallerConfig.ts"
import { type Callers, resolveCaller } from "../auth/Callers.ts"
import type { Question } from "../questions/Question.ts"
import { Settings } from "../Settings.ts"
import type { DecideResult, DecideRequest } from "./decideTypes.ts"
import type { InvalidRequest, RequestTooLarge } from "../values/errors/RequestErrors.ts"
import { stringifyRequest } from "../values/json/stringifyRequest.ts"
import { type DecisionError, Decisions } from "./Decisions.ts"
import { type ParsedDecision, parseDecisionRequest } from "./parseDecisionRequest.ts"

/** The request passes through JSON like one over HTTP, so what JSON cannot express is an `InvalidRequest`. */
const parseDecision: (
  request: unknown
) => Effect.Effect<ParsedDecision, InvalidRequest | RequestTooLarge> = Effect.fnUntraced(
  function* (request) {
    const settings = yield* Settings
    const { bytes, text } = yield* stringifyRequest(request)
    return yield* Effect.fromResult(parseDecisionRequest(text, { bytes, settings }))
  }
)

/** The decision on `request`, asked by `caller` (default: the application itself). */
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
    yield* parseDecision(request)
  )
  // `checkReply` made exactly the answers to these questions; their types cannot be told from JSON.
  return decision as DecideResult<Q>
})
