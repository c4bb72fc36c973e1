/** Says where a plan puts a conversation. */
import { type Candidate, isByok } from "../../Candidate.ts"
import type { Affinity, PlannedAffinity } from "./Affinity.ts"

/** `first` is the first candidate of the plan; `home` is the candidate of its key, unless the strategy draws. */
export const describeAffinity = (
  { pinned, shift = 0 }: Affinity,
  first: Candidate | undefined,
  home: string | undefined
): PlannedAffinity => {
  const place = pinned ?? home
  // A customer's own credential goes first; the conversation does not change that.
  const isDecided = first !== undefined && !isByok(first)
  const did = !isDecided
    ? "off"
    : shift > 0 || (place !== undefined && place !== first.id)
      ? "moved"
      : pinned === undefined
        ? "placed"
        : "kept"
  return home === undefined ? { did } : { did, home }
}
