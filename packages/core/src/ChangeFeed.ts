/** What other processes change on stores that they share with this one. */
import * as Context from "effect/Context"
import * as Stream from "effect/Stream"

/** What is remembered of stores, so that requests need not ask them. */
export type ChangeTopic =
  | "accounts"
  | "credentials"
  | "credits"
  | "guardrails"
  | "keys"
  | "workspaces"

/** Something was changed, or may have been. */
export interface Invalidation {
  readonly topic: ChangeTopic
  /** Of the account with this id; absent: of any. */
  readonly account?: string
  /** Of keys the hash that names one; absent: any of them. */
  readonly id?: string
}

/**
 * Stores that are shared say here what was changed elsewhere; whoever remembers something of them forgets
 * it. Stores of one process alone have nothing to say.
 *
 * Race: a change is told of after it is kept, so that what is read once it is told is not older than it.
 * Where it is not known whether something was changed, it is told as if it were.
 */
export const ChangeFeed = Context.Reference<{
  readonly remoteInvalidations: Stream.Stream<Invalidation>
}>("@signalbox/core/ChangeFeed", { defaultValue: () => ({ remoteInvalidations: Stream.never }) })
