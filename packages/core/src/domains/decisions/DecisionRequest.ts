/** The request body of a Decision. */
import * as Schema from "effect/Schema"
import { DecisionModels, EscalateRequest } from "./escalation/EscalateRequest.ts"
import { Guidance, Questions } from "../../questions/Question.ts"
import { Preferences } from "../../routing/Preferences.ts"
import { EndUser, SessionId } from "../../values/ids/Ids.ts"
import { Trace } from "../../values/Trace.ts"

const coverageMessage = "must be a number from 0.5 to 0.999"

/** Whether probabilities are calibrated by the labels of the account. */
const CalibrationRequest = Schema.Struct({
  /** `auto`: where labels show that it helps. The answers can then be labelled. */
  mode: Schema.Literals(["auto", "off"]),
  /** Adds `prediction_set` to each answer: the right option lies in it with this probability. */
  coverage: Schema.optionalKey(
    Schema.Finite.annotate({ message: coverageMessage }).check(
      Schema.makeFilter((value) => value >= 0.5 && value <= 0.999, {
        message: coverageMessage,
        minimum: 0.5,
        maximum: 0.999
      })
    )
  )
})

/** A Decision request; unknown top-level keys are ignored. */
export const DecisionRequest = Schema.Struct({
  model: Schema.NonEmptyString,
  /** The untrusted data to evaluate: text, or any JSON object or array. */
  state: Guidance,
  questions: Questions,
  /** Models that answer when the first fails; the first entry may say with `when` which unsure answers go to it. */
  models: Schema.optionalKey(Schema.NullOr(DecisionModels)),
  /** Asks another model again what the first is not sure of. */
  escalate: Schema.optionalKey(Schema.NullOr(EscalateRequest)),
  provider: Schema.optionalKey(Schema.NullOr(Preferences)),
  /** Absent: as `settings.calibrateDecisions` says. */
  calibration: Schema.optionalKey(CalibrationRequest),
  session_id: Schema.optionalKey(SessionId),
  trace: Schema.optionalKey(Trace),
  user: Schema.optionalKey(EndUser)
})
export type DecisionRequest = typeof DecisionRequest.Type
