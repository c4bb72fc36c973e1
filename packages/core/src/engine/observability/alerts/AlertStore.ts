/** Stores alerts, and the claims by which each is raised once. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { AccountId } from "../../../values/ids/Ids.ts"
import type { CursorPage, CursorRequest } from "../../../values/pages/CursorPage.ts"
import type { NanoUsd } from "../../../values/usage/NanoUsd.ts"
import type { Alert } from "./Alert.ts"

/** Keeps an alert from being raised twice. */
export interface AlertClaim {
  /** Unique among all accounts: the kind of alert, what it is about, and the period. */
  readonly key: string
  /** A higher level of a key may be claimed after a lower one. */
  readonly level: NanoUsd
  /** When it expires, in milliseconds since the epoch. */
  readonly expiresAt: number
}

/** Stores alerts and claims. All writes join the surrounding transaction. */
export class AlertStore extends Context.Service<
  AlertStore,
  {
    /**
     * Returns true, and stores the level, unless this level or a higher one of the key is claimed and has not expired at
     * `now`, in milliseconds since the epoch.
     *
     * Race: of concurrent claims of one level of a key, over any number of processes, exactly one returns true; the others wait
     * for its transaction, and one of them takes its place when that rolls back.
     */
    readonly claim: (claim: AlertClaim, now: number) => Effect.Effect<boolean>
    /** Deletes a claim, so that the alert can be raised again. Race: of concurrent calls, one returns true. */
    readonly release: (key: string) => Effect.Effect<boolean>
    readonly add: (alert: Alert) => Effect.Effect<void>
    readonly find: (id: string) => Effect.Effect<Alert | undefined>
    /** The latest first; the cost must not grow with the number of alerts. */
    readonly list: (
      account: AccountId,
      workspace: string | undefined,
      cursor: CursorRequest
    ) => Effect.Effect<CursorPage<Alert>>
    /** Deletes alerts from before `createdBefore`, and claims that expired before `now`; both in milliseconds. */
    readonly purge: (createdBefore: number, now: number) => Effect.Effect<void>
  }
>()("@signalbox/core/engine/observability/alerts/AlertStore") {}
