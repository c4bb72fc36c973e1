/** Contains one call of an upstream, whose code may fail in any way. */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Redacted from "effect/Redacted"
import * as Stream from "effect/Stream"
import { redactDefects } from "../secrets/redact.ts"
import {
  fromStream,
  isPushStream,
  type Push,
  type PushStream
} from "../../values/push/PushStream.ts"
import { adviseOnAnswer } from "./adviseOnAnswer.ts"
import { isExit } from "../../values/eager.ts"
import { withContext } from "../../values/Pending.ts"
import * as Step from "../../values/Step.ts"
import { isObject } from "../../values/json/guards.ts"
import {
  FailureKind,
  type FailurePhase,
  UpstreamDefect,
  UpstreamFailure
} from "./failures/UpstreamFailure.ts"

/** The secret of a call, which no log may repeat. */
export interface Call {
  readonly credential?: Redacted.Redacted
}

export const acceptAny = (): true => true

export const contain = <A, R>(
  slug: string,
  call: Call,
  run: () => Effect.Effect<A, UpstreamFailure, R>,
  isAllowed: (value: unknown) => boolean
): Effect.Effect<A, UpstreamFailure, R> => {
  let effect
  try {
    effect = run()
  } catch (defect) {
    // No effect ran, so the provider was not called.
    return isUpstreamFailure(defect)
      ? Effect.fail(defect)
      : failWithDefect(slug, call, Cause.die(defect), "connect")
  }
  if (!Effect.isEffect(effect)) {
    return failWithDefect(slug, call, Cause.die(new TypeError("it returned no Effect")), "connect")
  }
  if (isExit(effect) && Exit.isSuccess(effect)) {
    return isAllowed(effect.value) ? effect : failWithViolation(slug, [effect.value])
  }
  return Step.matchCause(effect, new Containment<A>(slug, call, isAllowed))
}

/** What becomes of the result of one call. */
class Containment<A> {
  readonly #slug: string
  readonly #call: Call
  readonly #isAllowed: (value: unknown) => boolean

  constructor(slug: string, call: Call, isAllowed: (value: unknown) => boolean) {
    this.#slug = slug
    this.#call = call
    this.#isAllowed = isAllowed
  }

  onSuccess(value: A): Effect.Effect<A, UpstreamFailure> {
    return this.#isAllowed(value) ? Effect.succeed(value) : failWithViolation(this.#slug, [value])
  }

  onFailure(cause: Cause.Cause<unknown>): Effect.Effect<never, UpstreamFailure> {
    return toFailure(this.#slug, this.#call, cause)
  }
}

export const containStream = <A, R>(
  slug: string,
  call: Call,
  run: () => Stream.Stream<A, UpstreamFailure, R>
): Stream.Stream<A, UpstreamFailure, R> =>
  Stream.suspend(() => {
    const stream: unknown = run()
    return Stream.isStream(stream)
      ? (stream as ReturnType<typeof run>)
      : Stream.die(new TypeError("it returned no Stream"))
  }).pipe(Stream.catchCause((cause) => Stream.fromEffect(toFailure(slug, call, cause))))

export const containPushStream = <A, R>(
  slug: string,
  call: Call,
  start: () => Stream.Stream<A, UpstreamFailure, R> | PushStream<A, UpstreamFailure, R>,
  areAllowed: (values: ReadonlyArray<unknown>) => boolean
): PushStream<A, UpstreamFailure, R> => ({
  run: (push) => {
    let violating: ReadonlyArray<unknown> | undefined
    const check: Push<A> = (values) => {
      if (violating !== undefined) return violation
      if (!areAllowed(values)) {
        violating = values
        return violation
      }
      return values.length === 0 ? Effect.void : push(values)
    }
    const running = withContext((): Effect.Effect<void, UpstreamFailure, R> => {
      const source: unknown = start()
      if (!Stream.isStream(source) && !isPushStream(source))
        return Effect.die(new TypeError("it returned no Stream"))
      const running: unknown = fromStream(source as ReturnType<typeof start>).run(check)
      return Effect.isEffect(running)
        ? (running as Effect.Effect<void, UpstreamFailure, R>)
        : Effect.die(new TypeError("its stream returned no Effect"))
    })
    return Step.matchCause(running, {
      onSuccess: () => Effect.void,
      onFailure: (cause) =>
        violating === undefined ? toFailure(slug, call, cause) : failWithViolation(slug, violating)
    })
  }
})

/** Keeps an `UpstreamFailure`, whether it failed or was thrown; everything else is a defect. */
const toFailure = (
  slug: string,
  call: Call,
  cause: Cause.Cause<unknown>
): Effect.Effect<never, UpstreamFailure> => {
  const failure = cause.reasons.map(getThrown).find(isUpstreamFailure)
  return failure === undefined ? failWithDefect(slug, call, cause) : Effect.fail(failure)
}

const getThrown = (reason: Cause.Reason<unknown>): unknown => {
  if (Cause.isFailReason(reason)) return reason.error
  return Cause.isDieReason(reason) ? reason.defect : undefined
}

const failWithDefect = (
  slug: string,
  { credential }: Call,
  cause: Cause.Cause<unknown>,
  phase?: FailurePhase
): Effect.Effect<never, UpstreamFailure> =>
  Effect.andThen(
    logDefect(new UpstreamDefect(slug, redactDefects(cause, credential))),
    Effect.fail(toDefectFailure(phase))
  )

export const toDefectFailure = (phase: FailurePhase | undefined): UpstreamFailure =>
  new UpstreamFailure({
    kind: "defect",
    detail: "the provider's code has a defect",
    ...(phase === undefined ? undefined : { phase })
  })

/** Checks the fields, because a host may have a second copy of this package. */
const isUpstreamFailure = (error: unknown): error is UpstreamFailure =>
  isObject(error) && error["_tag"] === "UpstreamFailure" && failureKinds.has(error["kind"])

const failureKinds: ReadonlySet<unknown> = new Set(FailureKind.literals)

const contractViolation = new UpstreamFailure({
  kind: "invalid_answer",
  detail: "the provider's code returned an invalid answer"
})

/** Logs what the host has to change, where that is known. */
const failWithViolation = (
  slug: string,
  values: ReadonlyArray<unknown>
): Effect.Effect<never, UpstreamFailure> => {
  const failed = Effect.fail(contractViolation)
  for (const value of values) {
    const advice = adviseOnAnswer(value)
    if (advice === undefined) continue
    const defect = new UpstreamDefect(slug, Cause.die(new TypeError(advice)))
    return Effect.andThen(logDefect(defect), failed)
  }
  return failed
}

/** Ends a stream. */
const violation = Effect.die(contractViolation)

export const logDefect = ({ reason, slug }: UpstreamDefect): Effect.Effect<void> =>
  Effect.logError(`the code of the upstream "${slug}" has a defect`, reason)
