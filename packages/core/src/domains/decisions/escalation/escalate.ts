/**
 * Asks unsure questions again. Both stages are planned and reserved before the first call. If the second stage fails,
 * the answers of the first remain.
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as HttpClient from "effect/http/HttpClient"
import type { Answers } from "../../../questions/Answer.ts"
import type { RouteWork } from "../../../routing/RouteWork.ts"
import type {
  EscalationOutcome,
  RouteObserver,
  RouteQuery,
  RouteResult
} from "../../../routing/RouteQuery.ts"
import type { Routing, RoutingError } from "../../../routing/Routing.ts"
import type { DecisionCapability } from "../../../engine/upstreams/DecisionCapability.ts"
import { Deadline } from "../../../values/Deadline.ts"
import { toErrorType } from "../../../values/errors/toErrorType.ts"

/** A stage of a Decision, for all of its questions or for some. */
interface Stage<A> {
  readonly query: RouteQuery<DecisionCapability>
  readonly makeWork: (
    questions: ReadonlyArray<string> | undefined
  ) => RouteWork<DecisionCapability, A, HttpClient.HttpClient>
}

/** What the rule of a Decision says of the first answers. */
export interface Unsure extends Pick<EscalationOutcome, "reason" | "threshold"> {
  readonly questions: ReadonlyArray<string>
  /**
   * Questions among them that are asked again even if the first answer is sure, so that their labels measure the value
   * of asking again.
   */
  readonly paired?: ReadonlyArray<string>
}

export interface EscalationOptions<A> {
  readonly routing: Routing["Service"]
  readonly first: Stage<A>
  readonly second: Stage<A>
  readonly observer: RouteObserver
  readonly totalTimeoutMillis: number
  readonly findUnsure: (first: RouteResult<A>, seed: number) => Effect.Effect<Unsure>
  /** The answers of both stages as one. */
  readonly merge: (first: RouteResult<A>, second: RouteResult<A>, unsure: Unsure) => A
  readonly countQuestions: (answered: A) => number
  /** Adds the outcome to the result. */
  readonly finish: (value: A, outcome: EscalationOutcome) => A
}

/** The first answers stand when less than this share of the time is left. */
const minTimeShare = 0.2

export const escalate = <A extends { readonly answers: Answers }>({
  countQuestions,
  findUnsure,
  finish,
  first,
  merge,
  observer,
  routing,
  second,
  totalTimeoutMillis
}: EscalationOptions<A>): Effect.Effect<RouteResult<A>, RoutingError, HttpClient.HttpClient> =>
  Effect.flatMap(Clock.Clock, (clock) => {
    const deadline = new Deadline(clock, totalTimeoutMillis)
    const to = second.query.models[0]
    return routing.withHold(first.query, first.makeWork(undefined), (heldFirst) => {
      observer.onPlan(heldFirst.planned)
      const { seed } = heldFirst.planned
      const query = { ...second.query, seed }
      return routing.withHold(query, second.makeWork(undefined), (heldSecond) =>
        Effect.gen(function* () {
          const answered = yield* heldFirst.run(
            first.makeWork(undefined),
            observer,
            deadline,
            heldSecond
          )
          // The other model answered because the first failed: it never escalates.
          if (heldSecond.planned.models.includes(answered.candidate.endpoint.model)) return answered
          const unsure = yield* findUnsure(answered, seed)
          const { paired: _, questions, ...found } = unsure
          const end = (outcome: Pick<EscalationOutcome, "failed" | "questions">) => {
            const whole: EscalationOutcome = { to, ...found, ...outcome }
            observer.onEscalation?.(whole)
            return (value: A) => finish(value, whole)
          }
          const keep = (failed?: string): RouteResult<A> => ({
            ...answered,
            value: end({ questions: [], ...(failed === undefined ? undefined : { failed }) })(
              answered.value
            )
          })
          if (questions.length === 0) return keep()
          if (heldSecond.problem !== undefined) return keep(toProblemName(heldSecond.problem))
          const remaining = deadline.at - deadline.now()
          if (remaining < totalTimeoutMillis * minTimeShare) return keep("no_time")
          const again = yield* Effect.exit(
            heldSecond.run(second.makeWork(questions), observer, deadline)
          )
          if (Exit.isFailure(again)) {
            // The caller has left, or Signalbox has a defect.
            if (!again.cause.reasons.every(({ _tag }) => _tag === "Fail")) {
              return yield* Effect.failCause(again.cause)
            }
            return keep(toErrorType(again.cause))
          }
          const isAll = questions.length === countQuestions(answered.value)
          return {
            value: end({ questions })(merge(answered, again.value, unsure)),
            candidate: isAll ? again.value.candidate : answered.candidate,
            attempts: [...answered.attempts, ...again.value.attempts]
          }
        })
      )
    })
  })

const toProblemName = (problem: { readonly _tag: string } | string): string =>
  typeof problem === "string" ? problem : problem._tag
