/** Asks for a Decision in process, or for its plan, through the same door as the wire. */
import * as Effect from "effect/Effect"
import { type Caller, host } from "../auth/Caller.ts"
import type { Question } from "../questions/Question.ts"
import { type Explanation, explanationOf } from "../routing/Explanation.ts"
import type { Replay } from "../routing/Query.ts"
import type { ModelNotFound, WrongOperation } from "../routing/RoutingErrors.ts"
import { Settings } from "../Settings.ts"
import type { Decided, DecideRequest } from "./decideTypes.ts"
import { InvalidRequest, type RequestTooLarge } from "../values/RequestErrors.ts"
import { type DecisionError, Decisions } from "./Decisions.ts"
import { type ParsedRequest, parseDecisionRequest } from "./parseDecisionRequest.ts"

const encoder = new TextEncoder()

/** Through JSON like one from the wire, so what cannot be JSON is an `InvalidRequest`. */
const parse: (request: unknown) => Effect.Effect<ParsedRequest, InvalidRequest | RequestTooLarge> =
  Effect.fnUntraced(function* (request) {
    const settings = yield* Settings
    const text = yield* Effect.try({
      try: () => JSON.stringify(request),
      catch: () =>
        new InvalidRequest({ path: [], problem: "the request cannot be written as JSON" })
    })
    const bytes = encoder.encode(text).byteLength
    return yield* Effect.fromResult(parseDecisionRequest(text, { bytes, settings }))
  })

/** The decision on `request`, asked by `caller` (default: the application itself). */
export const decide: <const Q extends Readonly<Record<string, Question>>>(
  request: DecideRequest<Q>,
  caller?: Caller
) => Effect.Effect<Decided<Q>, DecisionError | InvalidRequest | RequestTooLarge, Decisions> =
  Effect.fnUntraced(function* <const Q extends Readonly<Record<string, Question>>>(
    request: DecideRequest<Q>,
    caller: Caller = host
  ) {
    const decisions = yield* Decisions
    const decision = yield* decisions.submit(caller, yield* parse(request))
    // `checkReply` made exactly the answers to these questions; their types cannot be told from JSON.
    return decision as Decided<Q>
  })

/** The plan `request` would get, without asking anybody; `replay` repeats an earlier one. */
export const explain: (
  request: DecideRequest<Readonly<Record<string, Question>>>,
  caller?: Caller,
  replay?: Replay
) => Effect.Effect<
  Explanation,
  ModelNotFound | WrongOperation | InvalidRequest | RequestTooLarge,
  Decisions
> = Effect.fnUntraced(function* (request, caller = host, replay = {}) {
  const decisions = yield* Decisions
  return explanationOf(yield* decisions.plan(caller, yield* parse(request), replay))
})
