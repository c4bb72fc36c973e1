/** Asks for a Decision in process, through the same door as the wire. */
import * as Effect from "effect/Effect"
import { type Caller, host } from "../auth/Caller.ts"
import type { Question } from "../questions/Question.ts"
import { Settings } from "../Settings.ts"
import type { Decided, DecideRequest } from "./decideTypes.ts"
import { InvalidRequest, type RequestTooLarge } from "./DecisionErrors.ts"
import { type DecisionError, Decisions } from "./Decisions.ts"
import { parseDecisionRequest } from "./parseDecisionRequest.ts"

const encoder = new TextEncoder()

/**
 * The decision on `request`, asked by `caller` (default: the application itself). The request goes
 * through JSON like one from the wire, so what cannot be JSON is an `InvalidRequest`.
 */
export const decide: <const Q extends Readonly<Record<string, Question>>>(
  request: DecideRequest<Q>,
  caller?: Caller
) => Effect.Effect<Decided<Q>, DecisionError | InvalidRequest | RequestTooLarge, Decisions> =
  Effect.fnUntraced(function* <const Q extends Readonly<Record<string, Question>>>(
    request: DecideRequest<Q>,
    caller: Caller = host
  ) {
    const decisions = yield* Decisions
    const settings = yield* Settings
    const text = yield* Effect.try({
      try: () => JSON.stringify(request),
      catch: () =>
        new InvalidRequest({ path: [], problem: "the request cannot be written as JSON" })
    })
    const bytes = encoder.encode(text).byteLength
    const parsed = yield* Effect.fromResult(parseDecisionRequest(text, { bytes, settings }))
    const decision = yield* decisions.submit(caller, parsed)
    // `checkReply` made exactly the answers to these questions; their types cannot be told from JSON.
    return decision as Decided<Q>
  })
