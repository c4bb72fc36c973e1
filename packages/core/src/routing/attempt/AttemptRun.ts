/** One request while its attempts run, and what they come to. */
import type { LimitExceeded } from "../../engine/ledger/LedgerErrors.ts"
import type { Deadline } from "../../values/Deadline.ts"
import type { Candidate } from "../Candidate.ts"
import type { RouteWork } from "../RouteWork.ts"
import type { PreparedRoute } from "../RoutePreparer.ts"
import type { CapabilityTraits, RouteObserver } from "../RouteQuery.ts"
import type { EndpointBusy, NoEndpoints } from "../RoutingErrors.ts"
import type { Hold } from "./Hold.ts"
import type { RouteAttempt } from "./RouteAttempt.ts"
import type { CandidateCursor } from "./takeCandidate.ts"

/** Why no attempt is made at a candidate. */
export type AttemptRefusal = EndpointBusy | LimitExceeded | NoEndpoints

export interface AttemptsResult<A> {
  /** Every attempt made, in order; the last one served if `served` is there. */
  readonly attempts: ReadonlyArray<RouteAttempt>
  readonly served?: { readonly candidate: Candidate; readonly value: A }
  /** Why the last candidate that was passed over was. */
  readonly reservationError?: AttemptRefusal
  /** Reserving took until the deadline. */
  readonly isStorageLate?: true
  /** The last failure rules out further attempts at its model. */
  readonly isFinal?: true
  /** The deadline passed before the plan was exhausted. */
  readonly isTimedOut?: true
}

/** The state of one request while its attempts run. */
export interface AttemptRun<Capability extends CapabilityTraits, A, R> extends CandidateCursor {
  readonly prepared: PreparedRoute<Capability>
  readonly work: RouteWork<Capability, A, R>
  readonly observer: RouteObserver
  readonly deadline: Deadline
  /** Reservations for candidates; the others reserve for themselves. Undefined: all do. */
  readonly holds: ReadonlyArray<Hold> | undefined
  /** Parameters that are not sent, by the id of the candidate. */
  readonly dropped: ReadonlyMap<string, ReadonlyArray<string>>
  readonly attempts: Array<RouteAttempt>
  /** Models whose failure lies in the request, so that another endpoint would fail too. */
  unservableModels: Set<string> | undefined
  /** The candidate whose credential was renewed after it was refused: it is tried once more, before any other. */
  renewed: Candidate | undefined
  /** Whether this request has tried a renewed credential. */
  hasRenewed: boolean
  /** After how many milliseconds a second attempt is started beside a late one; undefined: never. */
  hedgeMillis: number | undefined
  reservationFailure: Pick<AttemptsResult<A>, "isStorageLate" | "reservationError"> | undefined
  /** Candidates that were passed over because they run as many requests as they may. */
  busy: Array<Candidate> | undefined
  /** Whether no reservation has been asked for yet. */
  isFirst: boolean
  /** Whether the last failure rules out further attempts at its model. */
  isFinal: boolean
}

/** How one attempt ended. */
export interface AttemptEnd<A> {
  readonly attempted: RouteAttempt
  readonly served?: { readonly candidate: Candidate; readonly value: A }
}
