/** Joins writes to several store ports: all of them happen, or none. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "./MemoryJournal.ts"

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
>()("@signalbox/core/Transaction") {
  static readonly layerMemory: Layer.Layer<Transaction, never, MemoryJournal> = Layer.effect(
    Transaction,
    MemoryJournal.useSync(({ withTransaction }) => ({ withTransaction: withTransaction }))
  )
}
