/** Decides when the claims of other processes have ended, without a comparison of clocks. */
import type * as Clock from "effect/Clock"
import { readMonotonicMillis } from "../../../values/SteadyTime.ts"
import { setMostRecent } from "../../../values/setMostRecent.ts"
import type { InternClaim } from "../Intern.ts"

/**
 * The clocks of two processes may differ by more than a lease lasts, so a claim has expired once this process has seen it for
 * as long as its lease.
 */
export class ClaimWatch {
  readonly #seen = new Map<string, SeenClaim>()

  /** `leaseMillis` is for claims that do not say how long theirs is. */
  hasExpired(intern: string, claim: InternClaim, leaseMillis: number, clock: Clock.Clock): boolean {
    const now = readMonotonicMillis(clock)
    const seen = this.#seen.get(intern)
    if (seen?.owner !== claim.owner || seen.expiresAt !== claim.expiresAt) {
      const { expiresAt, owner } = claim
      setMostRecent(this.#seen, intern, { owner, expiresAt, since: now }, maxSeen)
      return false
    }
    return now - seen.since >= (claim.leaseMillis ?? leaseMillis)
  }
}

interface SeenClaim extends Pick<InternClaim, "expiresAt" | "owner"> {
  /** In monotonic milliseconds. */
  readonly since: number
}

/** A claim that is forgotten is watched again from its beginning. */
const maxSeen = 1_000
