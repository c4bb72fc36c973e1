/** What an operator asks of the traffic to an endpoint or to a whole provider. */
import * as Data from "effect/Data"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { isMaxCharacters, isPlainText } from "../../../values/validation/text.ts"

const targetFields = {
  kind: Schema.Literals(["endpoint", "provider"]),
  /** The id of an endpoint, such as `acme/model@acme`, or the slug of a provider. */
  id: Schema.NonEmptyString.check(isMaxCharacters(1_024), isPlainText)
}

const wantedFields = {
  /** `drained` gets no new requests, while those that run go on and may still try it. `disabled` gets no new attempts at all. */
  state: Schema.Literals(["active", "drained", "disabled"]),
  /** The share of the requests for which it is considered as usual, 0 to 1; in the others it comes after the rest. */
  weight: Schema.Finite.check(Schema.isBetween({ minimum: 0, maximum: 1 })),
  /** A note of the operator; null: none. Callers do not see it. */
  reason: Schema.NullOr(Schema.NonEmptyString.check(isMaxCharacters(500), isPlainText))
}

/** A traffic control. Its author is in the audit log. */
export const TrafficControl = Schema.Struct({
  ...targetFields,
  ...wantedFields,
  /** Counts the changes, from 1. */
  version: Schema.Int,
  /** ISO 8601. */
  updated_at: Schema.String
})
export type TrafficControl = typeof TrafficControl.Type

/** The request body that sets a traffic control. */
export const NewTrafficControl = Schema.Struct({
  ...targetFields,
  /** Default: `active`. */
  state: Schema.optionalKey(wantedFields.state),
  /** Default: 1. */
  weight: Schema.optionalKey(wantedFields.weight),
  /** Default: null. */
  reason: Schema.optionalKey(wantedFields.reason),
  /** The version that the change is based on, 0 for none yet; another one is a conflict. Absent: any. */
  version: Schema.optionalKey(Schema.Int.check(Schema.isGreaterThanOrEqualTo(0)))
})
export type NewTrafficControl = typeof NewTrafficControl.Type

/** Somebody else has changed the control. */
export class ControlChanged extends Data.TaggedError("ControlChanged")<{
  readonly kind: TrafficControl["kind"]
  /** The version that it has now; 0: none. */
  readonly version: number
}> {}

/** The control after the change; `before` itself if it changes nothing. `at` is ISO 8601. */
export const applyControl = (
  before: TrafficControl | undefined,
  { id, kind, reason = null, state = "active", version, weight = 1 }: NewTrafficControl,
  at: string
): Result.Result<TrafficControl, ControlChanged> => {
  const known = before?.version ?? 0
  if (version !== undefined && version !== known) {
    return Result.fail(new ControlChanged({ kind, version: known }))
  }
  const isSame = before?.state === state && before.weight === weight && before.reason === reason
  return Result.succeed(
    isSame ? before : { kind, id, state, weight, reason, version: known + 1, updated_at: at }
  )
}
