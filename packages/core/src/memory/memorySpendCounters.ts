/** SpendCounters in the memory of this process. */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal } from "./MemoryJournal.ts"
import { Settings } from "../instance/Settings.ts"
import { makeAccountLru } from "../engine/ledger/AccountLru.ts"
import { type Calendar, getCalendar } from "../engine/ledger/Calendar.ts"
import { type Spend, SpendCounters } from "../engine/ledger/SpendCounters.ts"
import * as SpendTotals from "../engine/ledger/SpendTotals.ts"
import * as Subject from "../engine/ledger/Subject.ts"
import { renameSubject } from "../engine/ledger/Subject.ts"
import { MemoryPeople } from "./MemoryPeople.ts"

/**
 * Keeps the `Settings.maxSpendCounters` most recent subjects of each account; others count from zero again.
 */
export const memorySpendCounters: Layer.Layer<SpendCounters, never, MemoryJournal> = Layer.effect(
  SpendCounters,
  Effect.gen(function* () {
    const { writeEager } = yield* MemoryJournal
    const settings = yield* Settings
    const calendar = getCalendar(settings)
    const counters = makeAccountLru<Subject.Subject, SubjectCounters>(settings.maxSpendCounters)

    const people = yield* MemoryPeople
    people.register((renaming) =>
      Effect.sync(() =>
        counters.rename(
          renaming.account,
          // A renamed subject is one.
          (subject) => renameSubject(subject, renaming) as Subject.Subject
        )
      )
    )

    return {
      record: (spender, cost, isByok, at) =>
        writeEager(() => {
          const subjects = Subject.listSubjects(spender)
          const before = subjects.map((subject) => counters.get(subject) ?? emptyCounters)
          let known: SubjectCounters | undefined
          let after = emptyCounters
          for (let each = 0; each < subjects.length; each++) {
            // A user with one key has spent what the key has, so both share what is counted.
            if (before[each] !== known) {
              known = before[each]!
              after = addCost(calendar, known, cost, isByok, at)
            }
            counters.put(spender.account, subjects[each]!, after)
          }
          counters.evictOldest(spender.account, mayEvict)
          const undo = () =>
            subjects.forEach((subject, each) =>
              counters.put(spender.account, subject, before[each]!)
            )
          return { result: undefined, undo }
        }),
      findSpend: (subjects, now) => {
        const spends = new Map<Subject.Subject, Spend>()
        for (const subject of subjects) {
          const known = counters.get(subject)
          if (known !== undefined && known !== emptyCounters)
            spends.set(subject, toSpend(calendar, known, now))
        }
        return Effect.succeed(spends)
      },
      flush: () => Effect.void
    }
  })
)

interface SubjectCounters {
  readonly credits: SpendTotals.SpendTotals
  readonly byok: SpendTotals.SpendTotals
}

const emptyCounters: SubjectCounters = { credits: SpendTotals.empty, byok: SpendTotals.empty }

const addCost = (
  calendar: Calendar,
  { byok, credits }: SubjectCounters,
  cost: Parameters<typeof SpendTotals.addCost>[2],
  isByok: boolean,
  at: number
): SubjectCounters =>
  isByok
    ? { credits, byok: SpendTotals.addCost(calendar, byok, cost, at) }
    : { credits: SpendTotals.addCost(calendar, credits, cost, at), byok }

const mayEvict = (): boolean => true

const toSpend = (calendar: Calendar, { byok, credits }: SubjectCounters, now: number): Spend => ({
  usage: SpendTotals.toSpent(calendar, credits, "lifetime", now),
  usage_daily: SpendTotals.toSpent(calendar, credits, "daily", now),
  usage_weekly: SpendTotals.toSpent(calendar, credits, "weekly", now),
  usage_monthly: SpendTotals.toSpent(calendar, credits, "monthly", now),
  byok_usage: SpendTotals.toSpent(calendar, byok, "lifetime", now),
  byok_usage_daily: SpendTotals.toSpent(calendar, byok, "daily", now),
  byok_usage_weekly: SpendTotals.toSpent(calendar, byok, "weekly", now),
  byok_usage_monthly: SpendTotals.toSpent(calendar, byok, "monthly", now)
})
