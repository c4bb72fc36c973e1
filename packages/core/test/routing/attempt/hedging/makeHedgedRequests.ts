/** Requests to an engine that hedges, among endpoints whose answers are scripted; logs what reaches the caller and the ledger. */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Layer from "effect/Layer"
import * as TestClock from "effect/testing/TestClock"
import { Health } from "../../../../src/engine/health/Health.ts"
import type { Reservation } from "../../../../src/engine/ledger/Ledger.ts"
import { LimitExceeded } from "../../../../src/engine/ledger/LedgerErrors.ts"
import type { HedgingOptions } from "../../../../src/routing/attempt/hedging/Hedger.ts"
import type { RouteAttempt } from "../../../../src/routing/attempt/RouteAttempt.ts"
import type { Candidate } from "../../../../src/routing/Candidate.ts"
import type { HedgingTraits } from "../../../../src/routing/RouteWork.ts"
import type { Plan } from "../../../../src/routing/plan/plan.ts"
import type { Preferences } from "../../../../src/routing/Preferences.ts"
import { UpstreamFailure } from "../../../../src/engine/upstreams/failures/UpstreamFailure.ts"
import { make, zero } from "../../../../src/values/usage/NanoUsd.ts"
import { makePricedCandidate } from "../../makeCandidate.ts"
import { makeScriptedEngine, runRequest } from "../runScriptedAttempts.ts"

/** What an endpoint does with one request. */
export interface Behavior {
  /** Milliseconds to the first event, or to the failure. */
  readonly firstMillis: number
  /** `break` fails after the first event. */
  readonly result: "serve" | "fail" | "refuse" | "break" | "hang"
  /** Milliseconds from the first event to the end. */
  readonly restMillis: number
  /** How long the ledger takes to reserve, in milliseconds. */
  readonly reserveMillis: number
  readonly isReservationRefused: boolean
}

export const behave = (firstMillis: number, rest: Partial<Behavior> = {}): Behavior => ({
  firstMillis,
  result: "serve",
  restMillis: 10,
  reserveMillis: 0,
  isReservationRefused: false,
  ...rest
})

export interface HedgedRequest {
  /** By tag of the endpoint; others serve at once. */
  readonly behaviors: Readonly<Record<string, Behavior>>
  readonly candidates?: ReadonlyArray<Candidate>
  readonly demoted?: Plan["demoted"]
  readonly preferences?: Preferences
  readonly hedging?: HedgingTraits | undefined
  /** When the caller disconnects, in milliseconds; absent: never. */
  readonly leavesAfter?: number | undefined
  /** The step in milliseconds by which the clock moves until the request has ended. */
  readonly stepMillis?: number
}

export const streamed: HedgingTraits = { kind: "stream", isDefault: true }
export const [a, b, c] = ["a", "b", "c"].map((tag, at) => makePricedCandidate(tag, at + 1)) as [
  Candidate,
  Candidate,
  Candidate
]

export const makeHedgedRequests = Effect.fnUntraced(function* (options: HedgingOptions = {}) {
  let behaviors: Readonly<Record<string, Behavior>> = {}
  let book: Array<string> = []
  let sent: Array<string> = []
  let calls: Array<string> = []
  let cuts: Array<string> = []
  const toBehavior = ({ endpoint: { tag } }: Candidate): Behavior => behaviors[tag] ?? behave(0)
  const { health } = yield* Layer.build(Health.layer).pipe(
    Effect.flatMap((context) =>
      Effect.provideContext(
        Effect.map(Health, (health) => ({ health })),
        context
      )
    )
  )
  const engine = yield* makeScriptedEngine({
    health,
    hedging: options,
    settings: { maxAttempts: 5, suspectMinMillis: 50 },
    reserve: (candidate) =>
      Effect.delay(
        Effect.suspend(() => {
          const { tag } = candidate.endpoint
          if (toBehavior(candidate).isReservationRefused) {
            return Effect.fail(
              new LimitExceeded({
                limit: {
                  kind: "credits",
                  id: "x",
                  interval: "lifetime",
                  window: "lifetime",
                  endsAt: Infinity,
                  countsByok: false,
                  cap: zero
                },
                amount: make(2n),
                available: make(1n)
              })
            )
          }
          book.push(`reserve ${tag}`)
          const reservation: Reservation = {
            settle: (charged) =>
              Effect.sync(() => {
                book.push(`end ${tag}`)
                return { charged, overrun: zero }
              }),
            release: Effect.sync(() => void book.push(`end ${tag}`))
          }
          return Effect.succeed(reservation)
        }),
        toBehavior(candidate).reserveMillis
      )
  })

  const run = Effect.fnUntraced(function* ({
    behaviors: scripted,
    candidates = [a, b, c],
    hedging = streamed,
    leavesAfter,
    stepMillis = 1_000,
    ...rest
  }: HedgedRequest) {
    behaviors = scripted
    book = []
    sent = []
    calls = []
    cuts = []
    const observed: Array<RouteAttempt> = []
    const now = yield* Clock.currentTimeMillis
    const fiber = yield* Effect.forkChild(
      runRequest<string, never>(engine, {
        candidates,
        deadlineAt: now + 60_000,
        hedging,
        ...rest,
        observer: { onAttempt: (attempted) => void observed.push(attempted) },
        run: (candidate, _, commit) => {
          const { tag } = candidate.endpoint
          const { firstMillis, restMillis, result } = toBehavior(candidate)
          calls.push(tag)
          return Effect.gen(function* () {
            yield* result === "hang" ? Effect.never : Effect.sleep(firstMillis)
            if (result === "fail") return yield* new UpstreamFailure({ kind: "overloaded" })
            if (result === "refuse") return yield* new UpstreamFailure({ kind: "bad_request" })
            if (hedging.isDefault && !commit()) return yield* Effect.never
            if (hedging.isDefault) sent.push(tag)
            yield* Effect.sleep(restMillis)
            if (result === "break") return yield* new UpstreamFailure({ kind: "unreachable" })
            if (hedging.isDefault) sent.push(tag)
            return { value: tag }
          }).pipe(Effect.onInterrupt(() => Effect.sync(() => void cuts.push(tag))))
        }
      })
    )
    if (leavesAfter !== undefined) {
      yield* TestClock.adjust(leavesAfter)
      fiber.interruptUnsafe()
    }
    for (let steps = 0; steps < 100 && fiber.pollUnsafe() === undefined; steps++) {
      yield* TestClock.adjust(stepMillis)
    }
    // A reservation that comes too late is released.
    yield* TestClock.adjust(1_000)
    if (fiber.pollUnsafe() === undefined) return yield* Effect.die("the request does not end")
    const exit = yield* Fiber.await(fiber)
    return { exit, observed, book, sent, calls, cuts }
  })

  /** 20 first events of this time, the least that a delay follows from. */
  const warmUp = Effect.fnUntraced(function* (
    millis: number,
    request: Partial<HedgedRequest> = {}
  ) {
    for (let count = 0; count < 20; count++) {
      const fiber = yield* Effect.forkChild(
        runRequest<string, never>(engine, {
          candidates: [a],
          deadlineAt: (yield* Clock.currentTimeMillis) + 60_000,
          hedging: request.hedging ?? streamed,
          run: (_, __, commit) =>
            Effect.sleep(millis).pipe(
              Effect.andThen(Effect.sync(commit)),
              Effect.as({ value: "warm" })
            )
        })
      )
      yield* TestClock.adjust(millis)
      yield* Fiber.join(fiber)
    }
  })
  return { run, warmUp, health }
})
