/** Counts from records what became of the requests that an incident concerned. */
import type {
  Generation,
  GenerationReason
} from "../../engine/observability/generations/Generation.ts"
import type { GenerationPosition } from "../../engine/observability/generations/GenerationFilter.ts"
import type { Incident, IncidentImpact } from "./Incident.ts"

/** The failures that opened a breaker came before; milliseconds. */
const leadMillis = 60_000

const maxProviders = 10

/** More users are counted as so many. */
const maxUsers = 100_000

export class ImpactCount {
  /** Where the count begins, in milliseconds since the epoch. */
  readonly from: number
  /** The last record that was counted. */
  after: GenerationPosition | undefined
  readonly #endpoints: ReadonlySet<string>
  readonly #providerName: string
  readonly #users = new Set<string>()
  readonly #movedTo = new Map<string, number>()
  #failed = 0
  #moved = 0

  constructor({ endpoints, started_at }: Incident, providerName: string) {
    this.from = Date.parse(started_at) - leadMillis
    this.#endpoints = new Set(endpoints.map(({ endpoint_id }) => endpoint_id))
    this.#providerName = providerName
  }

  add(generation: Generation): void {
    if (!this.#concerns(generation)) return
    const { error, provider } = generation
    if (error !== undefined) {
      this.#failed += 1
      const user = findUser(generation)
      if (user !== undefined && this.#users.size < maxUsers) this.#users.add(user)
    } else if (provider !== undefined && provider !== this.#providerName) {
      this.#moved += 1
      this.#movedTo.set(provider, (this.#movedTo.get(provider) ?? 0) + 1)
    }
  }

  toImpact(countedUntil: number, isComplete: boolean): IncidentImpact {
    return {
      failed_requests: this.#failed,
      affected_users: this.#users.size,
      moved_requests: this.#moved,
      moved_to: Array.from(this.#movedTo, ([provider, requests]) => ({ provider, requests }))
        .toSorted((one, other) => other.requests - one.requests)
        .slice(0, maxProviders),
      counted_until: new Date(countedUntil).toISOString(),
      is_complete: isComplete
    }
  }

  /** An attempt failed there, or the plan avoided an endpoint for its health. */
  #concerns({ attempts, demoted, rejected }: Generation): boolean {
    const isAvoided = ({ endpoint, rule }: GenerationReason): boolean =>
      healthRules.has(rule) && this.#endpoints.has(endpoint)
    return (
      attempts.some(
        ({ endpoint, isByok, outcome }) =>
          isByok !== true && !otherReasons.has(outcome) && this.#endpoints.has(endpoint)
      ) ||
      rejected.some(isAvoided) ||
      demoted.some(isAvoided)
    )
  }
}

const healthRules: ReadonlySet<string> = new Set(["breaker", "rate_limited", "outage", "ramp"])

/** The endpoint answered, or somebody else ended the attempt. */
const otherReasons: ReadonlySet<string> = new Set(["served", "interrupted", "lost", "unread"])

/** Undefined: its sender is unknown. */
const findUser = ({ account, externalUser, keyHash, user }: Generation): string | undefined => {
  const name = user ?? externalUser ?? keyHash
  return name === undefined ? undefined : JSON.stringify([account, name])
}
