/** Joins writes to several store ports: all of them happen, or none. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/**
 * The transaction port. `atomically(effect)` runs `effect` so that the writes it makes through any
 * store port are kept together or, when it fails, dies or is interrupted, undone together. A nested
 * call joins the outer one: it is kept only if the outer one is, and undone alone when it alone fails.
 *
 * Race: two atomic effects never see each other's half-done writes.
 */
export class Transaction extends Context.Service<
  Transaction,
  { readonly withTransaction: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> }
>()("@signalbox/core/Transaction") {}
