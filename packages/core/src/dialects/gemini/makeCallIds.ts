/** Makes ids for calls of an answer that arrive without ids. */
import { type IdRules, messagesIds, responsesIds, toDialectId } from "../toDialectId.ts"

/** `getStem`: what tells this answer from others, such as its id, because a conversation holds the calls of several. */
export const makeCallIds = (getStem: () => string, candidate: number): (() => string) => {
  let stem: string | undefined
  let calls = 0
  return () => {
    stem ??= getStem()
    return toDialectId(`call_${stem}_${candidate}_${calls++}`, anyDialect)
  }
}

/** Rules that satisfy every dialect. */
const anyDialect: IdRules = {
  maxLength: responsesIds.maxLength,
  refused: messagesIds.refused
}
