/** LedgerStore in the memory of this process. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { MemoryJournal, type JournaledWrite } from "../MemoryJournal.ts"
import { makeMemoryTable } from "../makeMemoryTable.ts"
import { Settings } from "../Settings.ts"
import type { AccountId } from "../values/ids/AccountId.ts"
import * as NanoUsd from "../values/usage/NanoUsd.ts"
import { LimitExceeded } from "../ledger/LedgerErrors.ts"
import { makeAccountLru } from "../ledger/AccountLru.ts"
import { toCounterKey, type Limit } from "../ledger/Limit.ts"
import { noSpend, type Spend, SpendCounters, toSpentAmount } from "../ledger/SpendCounters.ts"
import type { Subject } from "../ledger/Subject.ts"
import { LedgerStore, type Settlement } from "../ledger/LedgerStore.ts"

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
      const { write } = journal
      const spendCounters = yield* SpendCounters
      const { maxSpendCounters } = yield* Settings
      const subjectCounters = makeAccountLru<string, Counter>(maxSpendCounters)
      const otherCounters = new Map<string, Counter>()
      const reservations = new Map<string, Reservation>()
      const grants = makeMemoryTable<AccountId, Grant>(journal)
      let nextId = 0
      let nextSweep = 0
      let nextEviction = 0

      /** The spend of the subjects of these limits. */
      const findSpend = (
        limits: ReadonlyArray<Limit>,
        now: number
      ): Effect.Effect<SpendBySubject> => {
        // Limits may share a subject.
        const subjects = new Set<Subject>()
        for (const { subject } of limits) if (subject !== undefined) subjects.add(subject)
        return subjects.size === 0
          ? noSpendBySubject
          : spendCounters.findSpend(Array.from(subjects), now)
      }

      const findCounter = (limit: Limit): Counter | undefined =>
        (limit.subject === undefined ? otherCounters : subjectCounters).get(toCounterKey(limit))

      const getCounter = (
        account: AccountId,
        limit: Limit,
        spends: SpendBySubject,
        now: number
      ): Counter => {
        const counter = findCounter(limit) ?? {
          settled: NanoUsd.zero,
          reserved: NanoUsd.zero,
          endsAt: limit.endsAt
        }
        counter.settled = NanoUsd.max(counter.settled, getSpentUnder(limit, spends, now))
        if (limit.subject === undefined) otherCounters.set(toCounterKey(limit), counter)
        else subjectCounters.put(account, toCounterKey(limit), counter)
        return counter
      }

      const endReservation = (id: string, owed: NanoUsd.NanoUsd): JournaledWrite<Settlement> => {
        const reservation = reservations.get(id)
        if (reservation === undefined) {
          return { result: { charged: NanoUsd.zero, overrun: NanoUsd.zero }, undo: () => {} }
        }
        reservations.delete(id)
        let room = owed
        for (const { cap, counter } of reservation.reservedLimits) {
          counter.reserved = NanoUsd.make(counter.reserved - reservation.amount)
          room = NanoUsd.min(room, NanoUsd.make(cap - counter.settled - counter.reserved))
        }
        // The reserved amount may always be charged, and beyond it only what is left of the limits.
        const charged = NanoUsd.max(NanoUsd.min(owed, reservation.amount), room)
        for (const { counter } of reservation.reservedLimits) {
          counter.settled = NanoUsd.sum(counter.settled, charged)
        }
        return {
          result: { charged, overrun: NanoUsd.make(owed - charged) },
          // By differences, because reservations that expired since then stay charged.
          undo: () => {
            reservations.set(id, reservation)
            for (const { counter } of reservation.reservedLimits) {
              counter.settled = NanoUsd.make(counter.settled - charged)
              counter.reserved = NanoUsd.sum(counter.reserved, reservation.amount)
            }
          }
        }
      }

      const settleExpired = (now: number) => {
        if (now < nextSweep) return
        nextSweep = now + 1000
        for (const [id, { amount, expiresAt }] of reservations)
          if (expiresAt <= now) endReservation(id, amount)
        if (now < nextEviction) return
        nextEviction = now + dayMillis
        const isOver = ({ endsAt, reserved }: Counter) =>
          endsAt + dayMillis <= now && reserved === 0n
        subjectCounters.evict(isOver)
        for (const [key, counter] of otherCounters) if (isOver(counter)) otherCounters.delete(key)
      }

      return {
        reserve: Effect.fnUntraced(function* (request) {
          const now = yield* Clock.currentTimeMillis
          const spends = yield* findSpend(request.limits, now)
          return yield* Effect.flatten(
            write((): JournaledWrite<Effect.Effect<string, LimitExceeded>> => {
              settleExpired(now)
              // Evicts before this reservation takes its counters, so that it loses none of them.
              subjectCounters.evictOldest(request.account, isIdle)
              const reservedLimits: Array<ReservedLimit> = []
              for (const limit of request.limits) {
                const cap = NanoUsd.min(limit.cap, NanoUsd.maxAmount)
                const counter = getCounter(request.account, limit, spends, now)
                reservedLimits.push({ cap, counter })
                const available = NanoUsd.max(
                  NanoUsd.make(cap - counter.settled - counter.reserved),
                  NanoUsd.zero
                )
                if (request.amount > available) {
                  const refusal = new LimitExceeded({ limit, amount: request.amount, available })
                  return { result: Effect.fail(refusal), undo: () => {} }
                }
              }
              const id = String(nextId++)
              for (const { counter } of reservedLimits) {
                counter.reserved = NanoUsd.sum(counter.reserved, request.amount)
              }
              reservations.set(id, {
                reservedLimits,
                amount: request.amount,
                expiresAt: now + request.leaseMillis
              })
              const undo = () => void endReservation(id, NanoUsd.zero)
              return { result: Effect.succeed(id), undo }
            })
          )
        }),
        settle: (id, amount) => write(() => endReservation(id, amount)),
        renew: Effect.fnUntraced(function* (id, leaseMillis) {
          const now = yield* Clock.currentTimeMillis
          return yield* write((): JournaledWrite<boolean> => {
            const reservation = reservations.get(id)
            if (reservation === undefined || reservation.expiresAt <= now) {
              return { result: false, undo: () => {} }
            }
            const { expiresAt } = reservation
            reservation.expiresAt = now + leaseMillis
            return { result: true, undo: () => void (reservation.expiresAt = expiresAt) }
          })
        }),
        release: (id) => Effect.asVoid(write(() => endReservation(id, NanoUsd.zero))),
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
          const now = yield* Clock.currentTimeMillis
          const spends = yield* findSpend([limit], now)
          const { reserved, settled } = findCounter(limit) ?? emptyUsage
          return { reserved, settled: NanoUsd.max(settled, getSpentUnder(limit, spends, now)) }
        })
      }
    })
  )

type SpendBySubject = ReadonlyMap<Subject, Spend>

const noSpendBySubject: Effect.Effect<SpendBySubject> = Effect.succeed(new Map())

/** Nothing is spent in an ended window any more. */
const getSpentUnder = (limit: Limit, spends: SpendBySubject, now: number): NanoUsd.NanoUsd =>
  limit.subject === undefined || limit.endsAt <= now
    ? NanoUsd.zero
    : toSpentAmount(spends.get(limit.subject) ?? noSpend, limit)

interface Counter {
  settled: NanoUsd.NanoUsd
  reserved: NanoUsd.NanoUsd
  /** The end of its window in milliseconds since the epoch. */
  readonly endsAt: number
}

const isIdle = ({ reserved }: Counter): boolean => reserved === 0n

/** A counter and the cap of the reservation. */
interface ReservedLimit {
  readonly cap: NanoUsd.NanoUsd
  readonly counter: Counter
}

interface Reservation {
  readonly reservedLimits: ReadonlyArray<ReservedLimit>
  readonly amount: NanoUsd.NanoUsd
  expiresAt: number
}

interface Grant {
  readonly granted: NanoUsd.NanoUsd
  readonly initial: NanoUsd.NanoUsd
}

const emptyGrant: Grant = { granted: NanoUsd.zero, initial: NanoUsd.zero }

const sumGrant = ({ initial, granted }: Grant): NanoUsd.NanoUsd => NanoUsd.sum(initial, granted)

/** Counters of ended windows are kept for a day, for late settlements. */
const dayMillis = 86_400_000

const emptyUsage = { settled: NanoUsd.zero, reserved: NanoUsd.zero }
