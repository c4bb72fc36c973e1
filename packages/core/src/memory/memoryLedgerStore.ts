/** LedgerStore in the memory of this process. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid, identity, memoize } from "effect/Function"
import * as Layer from "effect/Layer"
import { MemoryJournal, type JournaledWrite } from "./MemoryJournal.ts"
import { makeMemoryTable } from "./makeMemoryTable.ts"
import { Settings } from "../instance/Settings.ts"
import type { AccountId } from "../values/ids/Ids.ts"
import { readMonotonicMillis } from "../values/SteadyTime.ts"
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import { type HeldAmount, LimitExceeded } from "../engine/ledger/LedgerErrors.ts"
import { renameCounterKey, type Subject } from "../engine/ledger/Subject.ts"
import { MemoryPeople, renameKeys } from "./MemoryPeople.ts"
import { makeAccountLru } from "../engine/ledger/AccountLru.ts"
import { toBindingCap, toCounterKey, type Limit } from "../engine/ledger/Limit.ts"
import {
  noSpend,
  type Spend,
  SpendCounters,
  toSpentAmount
} from "../engine/ledger/SpendCounters.ts"
import {
  LedgerStore,
  type ReservationRequest,
  type Settlement
} from "../engine/ledger/LedgerStore.ts"
import * as Step from "../values/Step.ts"
import { getCurrentRef } from "../values/Pending.ts"

/**
 * Keeps grants, and the counters of limits without a subject, such as credits, for ever: they exist nowhere else.
 * Of limits with a subject it keeps `Settings.maxSpendCounters` per account, and those with open reservations. The
 * least recently used is evicted first and starts from `SpendCounters` when it is used again. Counters of an ended
 * window are dropped a day later.
 */
export const memoryLedgerStore: Layer.Layer<LedgerStore, never, MemoryJournal | SpendCounters> =
  Layer.effect(
    LedgerStore,
    Effect.gen(function* () {
      const journal = yield* MemoryJournal
      const { writeEager } = journal
      const clock = yield* Clock.Clock
      const spendCounters = yield* SpendCounters
      const { maxSpendCounters } = yield* Settings
      const subjectCounters = makeAccountLru<string, Counter>(maxSpendCounters)
      const otherCounters = new Map<string, Counter>()
      const reservations = new Map<string, Reservation>()
      const grants = makeMemoryTable<AccountId, Grant>(journal)
      const people = yield* MemoryPeople
      people.register((renaming) =>
        Effect.sync(() => {
          const rename = (key: string) => renameCounterKey(key, renaming)
          return (
            subjectCounters.rename(renaming.account, rename) + renameKeys(otherCounters, rename)
          )
        })
      )
      let nextId = 0
      let nextSweep = 0
      let nextEviction = 0

      const getClock = (): Clock.Clock => getCurrentRef(Clock.Clock) ?? clock
      const readClock = (): number => getClock().currentTimeMillisUnsafe()
      /** Leases are durations: they do not run out because the system clock jumps. */
      const readLeaseClock = (): number => readMonotonicMillis(getClock())

      /** The spend of the subjects of these limits. */
      const findSpend = (
        limits: ReadonlyArray<Limit>,
        now: number
      ): Effect.Effect<SpendBySubject> => {
        const subjects = listSubjects(limits)
        return subjects.length === 0 ? noSpendBySubject : spendCounters.findSpend(subjects, now)
      }

      const findCounter = (limit: Limit): Counter | undefined =>
        (limit.subject === undefined ? otherCounters : subjectCounters).get(toCounterKey(limit))

      const getCounter = (
        account: AccountId,
        limit: Limit,
        spends: SpendBySubject,
        now: number
      ): Counter => {
        const known = findCounter(limit)
        const counter = known ?? { settled: 0n, held: 0n, endsAt: limit.endsAt }
        const spent = getSpentUnder(limit, spends, now)
        if (spent > counter.settled) {
          counter.held += spent - counter.settled
          counter.settled = spent
        }
        if (limit.subject !== undefined) subjectCounters.put(account, toCounterKey(limit), counter)
        else if (known === undefined) otherCounters.set(toCounterKey(limit), counter)
        return counter
      }

      const endReservation = (id: string, owed: NanoUsd.NanoUsd): JournaledWrite<Settlement> => {
        const reservation = reservations.get(id)
        if (reservation === undefined) {
          return { result: { charged: NanoUsd.zero, overrun: NanoUsd.zero }, undo: constVoid }
        }
        reservations.delete(id)
        const { amount } = reservation
        const charged = owed <= amount ? owed : addRoom(reservation, owed)
        const difference = charged - amount
        for (const { counter } of reservation.reservedLimits) {
          counter.held += difference
          counter.settled += charged
        }
        return {
          result: {
            charged,
            overrun: charged === owed ? NanoUsd.zero : NanoUsd.make(owed - charged)
          },
          // Undoes by differences, because reservations that expired since then stay charged.
          undo: () => {
            reservations.set(id, reservation)
            for (const { counter } of reservation.reservedLimits) {
              counter.held -= difference
              counter.settled -= charged
            }
          }
        }
      }

      const settleExpired = (now: number, leaseNow: number) => {
        if (leaseNow < nextSweep) return
        nextSweep = leaseNow + 1000
        for (const [id, { amount, expiresAt }] of reservations)
          if (expiresAt <= leaseNow) endReservation(id, amount)
        if (now < nextEviction) return
        nextEviction = now + dayMillis
        const isOver = (counter: Counter) => counter.endsAt + dayMillis <= now && isIdle(counter)
        subjectCounters.evict(isOver)
        for (const [key, counter] of otherCounters) if (isOver(counter)) otherCounters.delete(key)
      }

      const takeReservation = (
        { account, amount, leaseMillis, limits }: ReservationRequest,
        spends: SpendBySubject,
        now: number
      ): JournaledWrite<Exit.Exit<string, LimitExceeded>> => {
        const leaseNow = readLeaseClock()
        settleExpired(now, leaseNow)
        // Evicts before this reservation takes its counters: eviction must not remove those.
        subjectCounters.evictOldest(account, isIdle)
        const reservedLimits: Array<ReservedLimit> = []
        for (const limit of limits) {
          const cap = toBindingCap(limit)
          const counter = getCounter(account, limit, spends, now)
          if (amount !== NanoUsd.zero && counter.held + amount > cap) {
            const available = NanoUsd.max(NanoUsd.make(cap - counter.held), NanoUsd.zero)
            const held = findHeld(reservations, counter)
            const refusal = new LimitExceeded({
              limit,
              amount,
              available,
              ...(held === undefined ? undefined : { held })
            })
            return { result: Exit.fail(refusal), undo: constVoid }
          }
          reservedLimits.push({ cap, counter })
        }
        const id = String(nextId++)
        for (const { counter } of reservedLimits) counter.held += amount
        reservations.set(id, { reservedLimits, amount, expiresAt: leaseNow + leaseMillis })
        return { result: Exit.succeed(id), undo: () => void endReservation(id, NanoUsd.zero) }
      }

      return {
        reserve: (request) => {
          const now = readClock()
          return Step.flatMap(findSpend(request.limits, now), (spends) =>
            Step.flatMap(
              writeEager(() => takeReservation(request, spends, now)),
              identity
            )
          )
        },
        settle: (id, amount) => writeEager(() => endReservation(id, amount)),
        renew: (id, leaseMillis) => {
          const now = readLeaseClock()
          return writeEager((): JournaledWrite<boolean> => {
            const reservation = reservations.get(id)
            if (reservation === undefined || reservation.expiresAt <= now) {
              return { result: false, undo: constVoid }
            }
            const { expiresAt } = reservation
            reservation.expiresAt = now + leaseMillis
            return { result: true, undo: () => void (reservation.expiresAt = expiresAt) }
          })
        },
        release: (id) =>
          Step.map(
            writeEager(() => endReservation(id, NanoUsd.zero)),
            constVoid
          ),
        grant: (account, amount) =>
          Effect.map(
            grants.edit((draft) => {
              const before = draft.get(account) ?? emptyGrant
              const after = { ...before, granted: NanoUsd.sum(before.granted, amount) }
              draft.set(account, after)
              return after
            }),
            sumGrant
          ),
        setInitialCredits: (account, initial) =>
          grants.edit((draft) =>
            draft.set(account, { ...(draft.get(account) ?? emptyGrant), initial })
          ),
        findGrantedCredits: (account) => {
          const grant = grants.rows.get(account)
          return Effect.succeed(grant === undefined ? undefined : sumGrant(grant))
        },
        getUsage: Effect.fnUntraced(function* (limit) {
          const now = readClock()
          const spends = yield* findSpend([limit], now)
          const { held, settled } = findCounter(limit) ?? emptyCounter
          return {
            reserved: NanoUsd.make(held - settled),
            settled: NanoUsd.min(
              NanoUsd.max(NanoUsd.make(settled), getSpentUnder(limit, spends, now)),
              NanoUsd.maxAmount
            )
          }
        })
      }
    })
  )

type SpendBySubject = ReadonlyMap<Subject, Spend>

const noSpendBySubject: Effect.Effect<SpendBySubject> = Effect.succeed(new Map())

/** An ended window has no spending. */
const getSpentUnder = (limit: Limit, spends: SpendBySubject, now: number): NanoUsd.NanoUsd =>
  limit.subject === undefined || limit.endsAt <= now
    ? NanoUsd.zero
    : toSpentAmount(spends.get(limit.subject) ?? noSpend, limit)

/** Amounts are exact and may exceed `NanoUsd.maxAmount`, so that they can be undone by differences. */
interface Counter {
  settled: bigint
  /** Settled and reserved, which is what the cap limits. */
  held: bigint
  /** The end of its window in milliseconds since the epoch. */
  readonly endsAt: number
}

const isIdle = ({ held, settled }: Counter): boolean => held === settled

/** A counter and the cap of the reservation. */
interface ReservedLimit {
  readonly cap: NanoUsd.NanoUsd
  readonly counter: Counter
}

interface Reservation {
  readonly reservedLimits: ReadonlyArray<ReservedLimit>
  readonly amount: NanoUsd.NanoUsd
  /** In monotonic milliseconds. */
  expiresAt: number
}

/** The reserved amount may always be charged; a charge beyond it is bounded by the room under the limits. */
const addRoom = (
  { amount, reservedLimits }: Reservation,
  owed: NanoUsd.NanoUsd
): NanoUsd.NanoUsd => {
  let charged = owed
  for (const { cap, counter } of reservedLimits) {
    charged = NanoUsd.min(charged, NanoUsd.make(cap - counter.held + amount))
  }
  return NanoUsd.max(charged, amount)
}

/** Counted for a refusal only. */
const findHeld = (
  reservations: ReadonlyMap<string, Reservation>,
  counter: Counter
): HeldAmount | undefined => {
  const amount = counter.held - counter.settled
  if (amount <= 0n) return undefined
  let count = 0
  for (const { amount: reserved, reservedLimits } of reservations.values()) {
    if (reserved > 0n && reservedLimits.some((each) => each.counter === counter)) count += 1
  }
  return { amount: NanoUsd.make(amount), reservations: count }
}

/** Without duplicates, because limits may share a subject. Memoized: reservations of a caller are under the same limits. */
const listSubjects = memoize((limits: ReadonlyArray<Limit>): ReadonlyArray<Subject> => {
  const subjects = new Set<Subject>()
  for (const { subject } of limits) if (subject !== undefined) subjects.add(subject)
  return Array.from(subjects)
})

interface Grant {
  readonly granted: NanoUsd.NanoUsd
  readonly initial: NanoUsd.NanoUsd
}

const emptyGrant: Grant = { granted: NanoUsd.zero, initial: NanoUsd.zero }

const sumGrant = ({ initial, granted }: Grant): NanoUsd.NanoUsd => NanoUsd.sum(initial, granted)

/** Counters of ended windows are kept for a day, for late settlements. */
const dayMillis = 86_400_000

const emptyCounter = { settled: 0n, held: 0n }
