/** SpendCounters in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "../MemoryJournal.ts"
import { Settings } from "../Settings.ts"
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import { type Interval, toWindow } from "../ledger/Interval.ts"
import { makeAccountLru } from "../ledger/AccountLru.ts"
import * as Subject from "../ledger/Subject.ts"
import {
  SpendCounters,
  type Spend,
  emptyCounters,
  toSpend,
  type WindowsByInterval,
  type SubjectCounters,
  type WindowSpend
} from "../ledger/SpendCounters.ts"

/**
 * Keeps the `Settings.maxSpendCounters` most recent subjects of each account; others count from zero again.
 */
export const memorySpendCounters: Layer.Layer<SpendCounters, never, MemoryJournal> = Layer.effect(
  SpendCounters,
  Effect.gen(function* () {
    const { writeEager } = yield* MemoryJournal
    const { maxSpendCounters } = yield* Settings
    const counters = makeAccountLru<Subject.Subject, SubjectCounters>(maxSpendCounters)

    return {
      record: (spender, cost, isByok, at) =>
        writeEager(() => {
          const which = isByok ? "byok" : "credits"
          const before = Subject.listSubjects(spender).map(
            (subject) => [subject, counters.get(subject) ?? emptyCounters] as const
          )
          for (const [subject, known] of before) {
            const after = { ...known, [which]: addCost(known[which], cost, at) }
            counters.put(spender.account, subject, after)
          }
          counters.evictOldest(spender.account, () => true)
          const undo = () => {
            for (const [subject, known] of before) counters.put(spender.account, subject, known)
          }
          return { result: undefined, undo }
        }),
      findSpend: (subjects, now) =>
        Effect.sync(() => {
          const spends = new Map<Subject.Subject, Spend>()
          for (const subject of subjects) {
            const known = counters.get(subject)
            if (known !== undefined && known !== emptyCounters)
              spends.set(subject, toSpend(known, now))
          }
          return spends
        }),
      flush: () => Effect.void
    }
  })
)

const addCost = (
  windows: WindowsByInterval,
  cost: NanoUsd.NanoUsd,
  at: number
): WindowsByInterval => {
  const addToInterval = (interval: Interval): ReadonlyArray<WindowSpend> => {
    const before = windows[interval]
    const [earlier] = before
    // If the clock was set far back, the cost counts in the oldest known window.
    const beganAt = Math.max(
      toWindow(interval, at).beganAt,
      before.length < maxWindows ? -Infinity : (earlier?.beganAt ?? -Infinity)
    )
    const latest = before.at(-1)
    if (latest?.beganAt === beganAt) {
      return before.with(before.length - 1, { beganAt, spent: NanoUsd.sum(latest.spent, cost) })
    }
    const spent = before.find((known) => known.beganAt === beganAt)?.spent ?? NanoUsd.zero
    return [
      ...before.filter((known) => known.beganAt !== beganAt),
      { beganAt, spent: NanoUsd.sum(spent, cost) }
    ]
      .toSorted((one, other) => one.beganAt - other.beganAt)
      .slice(-maxWindows)
  }
  return {
    lifetime: addToInterval("lifetime"),
    daily: addToInterval("daily"),
    weekly: addToInterval("weekly"),
    monthly: addToInterval("monthly")
  }
}

const maxWindows = 2
