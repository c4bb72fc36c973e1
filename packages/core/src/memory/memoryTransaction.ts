/** Transaction in the memory of this process. */
import * as Layer from "effect/Layer"
import { MemoryJournal } from "./MemoryJournal.ts"
import { Transaction } from "../instance/Transaction.ts"

export const memoryTransaction: Layer.Layer<Transaction, never, MemoryJournal> = Layer.effect(
  Transaction,
  MemoryJournal.useSync(({ withTransaction }) => ({ withTransaction }))
)
