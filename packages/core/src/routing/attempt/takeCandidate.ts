/** Takes the next candidate of a plan to try, for requests that are served and for those that are simulated. */
import type { Health } from "../../engine/health/Health.ts"
import type { Candidate } from "../Candidate.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"

/** How far the attempts of a request have come in its plan. */
export interface CandidateCursor {
  readonly attempts: ReadonlyArray<RouteAttempt>
  /** How many candidates of the plan were looked at. */
  position: number
  /** The best of the candidates whose probe another request holds. */
  unclaimed: Candidate | undefined
  /** The candidate of a second attempt beside a late one. */
  hedgedId: string | undefined
}

/** Undefined when the plan is exhausted. A candidate whose breaker blocks it is only tried when no other was. */
export const takeCandidate = <Cursor extends CandidateCursor>(
  cursor: Cursor,
  ordered: ReadonlyArray<Candidate>,
  isOpen: (cursor: Cursor, candidate: Candidate) => boolean,
  health: Pick<Health["Service"], "claim">
): Candidate | undefined => {
  while (cursor.position < ordered.length) {
    const candidate = ordered[cursor.position++]!
    if (candidate.id === cursor.hedgedId || !isOpen(cursor, candidate)) continue
    if (health.claim(candidate.id)) return candidate
    cursor.unclaimed ??= candidate
  }
  // Other requests hold every probe and no candidate is left, so the best one is tried nevertheless.
  const forced = cursor.attempts.length === 0 ? cursor.unclaimed : undefined
  cursor.unclaimed = undefined
  return forced
}
