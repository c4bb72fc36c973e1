/** Adds up the listed requests over time: series know one filter at a time, and the list knows them all. */
import { findUnfinished } from "../../charts/fillBuckets.ts"
import type { RequestSummary } from "./RequestRecord.ts"

type Row = Pick<RequestSummary, "created_at" | "latency" | "outcome">

export interface MatchingBuckets {
  /** When each bucket begins, in milliseconds since the epoch. */
  readonly times: ReadonlyArray<number>
  readonly from: number
  readonly to: number
  readonly unfinished: number | undefined
  readonly answered: ReadonlyArray<number>
  readonly failed: ReadonlyArray<number>
  /** Median milliseconds of the answered ones; null without any. */
  readonly latency: ReadonlyArray<number | null>
}

const minute = 60_000
const steps = [1, 5, 15, 60, 360, 1_440].map((minutes) => minutes * minute)

/**
 * Buckets of `rows`, the latest first. Unless they are all, older ones may follow: then the first bucket is the one after the
 * oldest row, so that no bucket lacks any.
 */
export const toMatchingBuckets = (
  rows: ReadonlyArray<Row>,
  { from, to }: { readonly from: number; readonly to: number },
  isComplete: boolean,
  now: number
): MatchingBuckets => {
  const oldest = rows.at(-1)
  const since = isComplete || oldest === undefined ? from : Date.parse(oldest.created_at)
  const step = steps.find((step) => (to - since) / step <= 60) ?? steps.at(-1)!
  const begin = (isComplete ? Math.floor : Math.ceil)(since / step) * step
  const times = Array.from(
    { length: Math.max(0, Math.ceil((to - begin) / step)) },
    (_, at) => begin + at * step
  )
  const buckets = times.map((): Array<Row> => [])
  for (const row of rows)
    buckets[Math.floor((Date.parse(row.created_at) - begin) / step)]?.push(row)
  const isAnswered = ({ outcome }: Row): boolean => outcome === "answered"
  return {
    times,
    from: begin,
    to: begin + times.length * step,
    unfinished: findUnfinished(times, step, now),
    answered: buckets.map((rows) => rows.filter(isAnswered).length),
    failed: buckets.map((rows) => rows.length - rows.filter(isAnswered).length),
    latency: buckets.map((rows) => getMedian(rows.filter(isAnswered).map(({ latency }) => latency)))
  }
}

const getMedian = (values: ReadonlyArray<number>): number | null =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? null
