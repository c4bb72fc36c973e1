/**
 * The interruption of an attempt whose answer is not needed any more, so that records can tell it from a client that
 * left.
 */
import * as Cause from "effect/Cause"
import * as Context from "effect/Context"
import * as Exit from "effect/Exit"

const Unread = Context.Reference<boolean>("@signalbox/core/routing/attempt/Unread", {
  defaultValue: () => false
})

/**
 * The interruption of an attempt whose answer is not needed any more, so that records can tell it from a client that
 * left.
 */
export const unreadResponse: Exit.Exit<never> = Exit.failCause(
  Cause.annotate(Cause.interrupt(), Context.make(Unread, true))
)

export const isUnread = ({ reasons }: Cause.Cause<unknown>): boolean =>
  reasons.some(({ annotations }) => annotations.has(Unread.key))
