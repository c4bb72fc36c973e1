/** Changes of other processes in shared stores. A port. */
import * as Context from "effect/Context"
import * as Stream from "effect/Stream"

/** The cached parts of stores. */
export type ChangeTopic =
  | "accounts"
  | "calibrations"
  | "credentials"
  | "credits"
  | "guardrails"
  | "keys"
  | "presets"
  | "traffic"
  | "workspaces"

/** Something has, or may have, changed. */
export interface Invalidation {
  readonly topic: ChangeTopic
  /** The id of the account; absent: any account. */
  readonly account?: string
  /** The hash of a key; absent: any key. */
  readonly id?: string
  /** The feed has failed: it is not known whether anything has changed. Absent: something has, as far as the feed can say. */
  readonly isUnconfirmed?: true
}

/**
 * Shared stores report changes of other processes here, and caches drop what changed. Stores of a single process
 * report nothing.
 *
 * Race: a change is reported after its commit, so a later read sees it. When changes may have been missed, everything
 * is reported as changed.
 */
export const ChangeFeed = Context.Reference<{
  readonly remoteInvalidations: Stream.Stream<Invalidation>
}>("@signalbox/core/instance/ChangeFeed", {
  defaultValue: () => ({ remoteInvalidations: Stream.never })
})
