/** Transaction in the memory of this process. */
import * as Layer from "effect/Layer"
import { Transaction } from "../instance/Transaction.ts"
import { MemoryJournal } from "./MemoryJournal.ts"

export const memoryTransaction: Layer.Layer<Transaction, never, MemoryJournal> = Layer.effect(
  Transaction,
  MemoryJournal.useSync(({ withTransaction }) => ({ withTransaction }))
)
