/** Ids for calls of an answer that have none. */
import { type IdRules, messagesIds, responsesIds, toDialectId } from "../toDialectId.ts"

/**
 * The same answer gets the same ids, whole or streamed. `stem`: what tells this answer from others, such as its id.
 */
export const makeCallIds = (stem: string, candidate: number): (() => string) => {
  let calls = 0
  return () => toDialectId(`call_${stem}_${candidate}_${calls++}`, anyDialect)
}

/** What every dialect accepts. */
const anyDialect: IdRules = {
  maxLength: responsesIds.maxLength,
  refused: messagesIds.refused
}
