/** Transactions over several store ports. A port. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"

/**
 * The writes of `effect` through any store port commit together, or roll back when it fails, dies or is interrupted. A
 * nested call joins the outer transaction; a failed nested call rolls back alone.
 *
 * Race: a transaction never sees partial writes of another one.
 */
export class Transaction extends Context.Service<
  Transaction,
  { readonly withTransaction: <A, E, R>(effect: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> }
>()("@signalbox/core/instance/Transaction") {}
