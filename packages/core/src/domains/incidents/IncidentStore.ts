/** Stores incidents of the instance, which no account owns. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { CursorPage, CursorRequest } from "../../values/pages/CursorPage.ts"
import type { Incident } from "./Incident.ts"

/** Selects incidents; absent fields match all. Times are in milliseconds since the epoch. */
export interface IncidentFilter {
  /** The slug of a provider. */
  readonly provider?: string
  /** The id of an endpoint that failed. */
  readonly endpoint?: string
  /** Incidents that lasted at this time or later. */
  readonly from?: number
  /** Incidents that began before this time. */
  readonly to?: number
  /** Whether it lasts: it has no end, and was seen at `aliveSince` or later. */
  readonly isOpen?: boolean
  readonly aliveSince: number
}

/** Stores incidents. */
export class IncidentStore extends Context.Service<
  IncidentStore,
  {
    /**
     * Stores what `change` returns: the incidents that it has changed or begun. It receives those of the provider that
     * have no end or were seen at `since` (milliseconds since the epoch) or later, the oldest first.
     *
     * Race: of two concurrent changes of a provider, the later one receives the result of the earlier one.
     */
    readonly update: (
      provider: string,
      since: number,
      change: (recent: ReadonlyArray<Incident>) => ReadonlyArray<Incident>
    ) => Effect.Effect<void>
    /** The one that was stored last comes first. */
    readonly list: (
      filter: IncidentFilter,
      cursor: CursorRequest
    ) => Effect.Effect<CursorPage<Incident>>
    /** Deletes incidents that were last seen before this time, in milliseconds since the epoch. */
    readonly purge: (seenBefore: number) => Effect.Effect<void>
  }
>()("@signalbox/core/domains/incidents/IncidentStore") {}
