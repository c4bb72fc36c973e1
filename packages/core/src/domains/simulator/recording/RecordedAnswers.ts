/** Answers the calls of a simulation from a recording: one of those recorded at the endpoint at about the same time. */
import * as Schema from "effect/Schema"
import { FailureKind } from "../../../engine/upstreams/failures/UpstreamFailure.ts"
import type { AnswerCall, SimulatedAnswer } from "../engine/SimulationRun.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"

export interface RecordedAnswers {
  readonly answer: AnswerCall
  /** The endpoints with a recorded answer or failure. */
  readonly endpoints: ReadonlySet<string>
  /** The calls of each endpoint so far for whose time nothing is recorded. */
  readonly unrecordedCalls: ReadonlyMap<string, number>
}

/** An answer is drawn from so many, those nearest in time. */
const neighbors = 24

/** `windowMillis`: how far away in time an answer may be. Without any, the nearest ones serve, and the call is counted. */
export const makeRecordedAnswers = (
  recording: ReadonlyArray<RecordedRequest>,
  windowMillis: number
): RecordedAnswers => {
  const byEndpoint = indexAnswers(recording)
  const unrecordedCalls = new Map<string, number>()
  return {
    endpoints: new Set(byEndpoint.keys()),
    unrecordedCalls,
    answer: ({ at, endpoint, random, request }) => {
      const known = byEndpoint.get(endpoint)
      if (known === undefined) throw new RangeError(`nothing is recorded of ${endpoint}`)
      let range = findNearest(known.times, at, windowMillis)
      if (range.from === range.to) {
        unrecordedCalls.set(endpoint, (unrecordedCalls.get(endpoint) ?? 0) + 1)
        range = findNearest(known.times, at, Number.POSITIVE_INFINITY)
      }
      const { from, to } = range
      const drawn = known.answers[from + Math.floor(random() * (to - from))]!
      return scale(drawn, request.completion_tokens)
    }
  }
}

interface RecordedAnswer extends SimulatedAnswer {
  readonly at: number
  readonly completionTokens: number
}

interface EndpointAnswers {
  /** In order. */
  readonly times: ReadonlyArray<number>
  /** In the order of their times. */
  readonly answers: ReadonlyArray<RecordedAnswer>
}

const indexAnswers = (
  recording: ReadonlyArray<RecordedRequest>
): ReadonlyMap<string, EndpointAnswers> => {
  const byEndpoint = new Map<string, Array<RecordedAnswer>>()
  for (const { attempts, completion_tokens: completionTokens } of recording) {
    for (const { at, endpoint, first_ms, kind, status, whole_ms } of attempts) {
      // The caller left: how the endpoint would have answered is unknown.
      if (status === 499 && kind !== "lost") continue
      const answers = byEndpoint.get(endpoint) ?? []
      byEndpoint.set(endpoint, answers)
      if (status === 499) {
        // Without it, an endpoint would look as if it never stalled. It took at least so long.
        answers.push({
          at,
          completionTokens: 0,
          status: 200,
          firstMillis: whole_ms,
          wholeMillis: whole_ms
        })
        continue
      }
      answers.push({
        at,
        completionTokens: status === 200 ? completionTokens : 0,
        status,
        ...(isFailureKind(kind) ? { kind } : undefined),
        ...(first_ms === undefined ? undefined : { firstMillis: first_ms }),
        wholeMillis: whole_ms
      })
    }
  }
  return new Map(
    Array.from(byEndpoint, ([endpoint, unordered]) => {
      const answers = unordered.toSorted((one, other) => one.at - other.at)
      return [endpoint, { answers, times: answers.map(({ at }) => at) }]
    })
  )
}

const isFailureKind = Schema.is(FailureKind)

/** The places of the nearest times within the window, the last one exclusive. */
const findNearest = (
  times: ReadonlyArray<number>,
  at: number,
  windowMillis: number
): { readonly from: number; readonly to: number } => {
  let from = findFirstSince(times, at)
  let to = from
  while (to - from < neighbors) {
    const before = from > 0 ? at - times[from - 1]! : Number.POSITIVE_INFINITY
    const after = to < times.length ? times[to]! - at : Number.POSITIVE_INFINITY
    const nearest = Math.min(before, after)
    if (nearest > windowMillis || nearest === Number.POSITIVE_INFINITY) break
    if (before <= after) from -= 1
    else to += 1
  }
  return { from, to }
}

/** The place of the first time at or after `at`. */
const findFirstSince = (times: ReadonlyArray<number>, at: number): number => {
  let from = 0
  let to = times.length
  while (from < to) {
    const middle = (from + to) >> 1
    if (times[middle]! < at) from = middle + 1
    else to = middle
  }
  return from
}

/** A longer answer takes longer, from its first event on. */
const scale = (
  { completionTokens, firstMillis, kind, status, wholeMillis }: RecordedAnswer,
  wanted: number
): SimulatedAnswer => {
  const firstPart = firstMillis ?? 0
  const factor = completionTokens > 0 && wanted > 0 ? wanted / completionTokens : 1
  return {
    status,
    ...(kind === undefined ? undefined : { kind }),
    ...(firstMillis === undefined ? undefined : { firstMillis }),
    wholeMillis: Math.round(firstPart + (wholeMillis - firstPart) * factor)
  }
}
