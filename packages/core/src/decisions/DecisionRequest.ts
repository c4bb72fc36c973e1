/** The request body of a Decision. */
import * as Schema from "effect/Schema"
import { Guidance } from "../questions/Guidance.ts"
import { Questions } from "../questions/Question.ts"
import { Preferences } from "../routing/Preferences.ts"
import { EndUser } from "../values/ids/EndUser.ts"
import { SessionId } from "../values/ids/SessionId.ts"
import { Trace } from "../values/Trace.ts"

/** A Decision request; unknown top-level keys are ignored. */
export const DecisionRequest = Schema.Struct({
  model: Schema.NonEmptyString,
  /** The untrusted data to evaluate: text, or any JSON object or array. */
  state: Guidance,
  questions: Questions,
  provider: Schema.optionalKey(Schema.NullOr(Preferences)),
  session_id: Schema.optionalKey(SessionId),
  trace: Schema.optionalKey(Trace),
  user: Schema.optionalKey(EndUser)
})
export type DecisionRequest = typeof DecisionRequest.Type
