/** What a request, a start and minutes of work may cost, and how benchmarks report what they reached. */
import { appendFileSync, existsSync, readFileSync } from "node:fs"

/**
 * Requests to each server before it is measured: V8 compiles until then, and CPU halves. A stream of 100 events counts as
 * ten.
 */
export const warmUpRequests = 50_000

interface Goal {
  /** What is measured. */
  readonly text: string
  readonly atMost?: number
  readonly atLeast?: number
  readonly unit?: string
  /** Digits after the decimal point; 2 by default. */
  readonly digits?: number
}

const ratio = "throughput, of the pass-through's"
const cost = "CPU, relative to the pass-through"
const bytes = "bytes beyond the pass-through"

export const goals = {
  chatCpu: { text: `chat answered whole: ${cost}`, atMost: 1.4 },
  chatThroughput: { text: `chat answered whole: ${ratio}`, atLeast: 0.7 },
  decisionCpu: { text: `Decision: ${cost}`, atMost: 1.6 },
  decisionThroughput: { text: `Decision: ${ratio}`, atLeast: 0.6 },
  togetherCpu: { text: `stream of 100 events, sent together: ${cost}`, atMost: 1.4 },
  togetherThroughput: { text: `stream of 100 events, sent together: ${ratio}`, atLeast: 0.6 },
  apartCpu: { text: `stream of 100 events, a millisecond apart: ${cost}`, atMost: 1.4 },
  apartThroughput: { text: `stream of 100 events, a millisecond apart: ${ratio}`, atLeast: 0.6 },
  decisionBytes: { text: `Decision over HTTP, ${bytes}`, atMost: 18, unit: "KiB", digits: 1 },
  chatBytes: { text: `chat answered whole, ${bytes}`, atMost: 18, unit: "KiB", digits: 1 },
  eventBytes: { text: `each streamed event, ${bytes}`, atMost: 1, unit: "KiB" },
  nativeBytes: {
    text: `Messages or Responses, provider with the same API, ${bytes}`,
    atMost: 25,
    unit: "KiB",
    digits: 1
  },
  nativeEventBytes: { text: `the same, each streamed event, ${bytes}`, atMost: 1.5, unit: "KiB" },
  translatedBytes: {
    text: `chat translated to another dialect, ${bytes}`,
    atMost: 45,
    unit: "KiB",
    digits: 1
  },
  translatedEventBytes: {
    text: `each event translated from another dialect, ${bytes}`,
    atMost: 3,
    unit: "KiB"
  },
  idleStreamBytes: {
    text: "an open stream without events, heap beyond the pass-through's",
    atMost: 20,
    unit: "kB",
    digits: 1
  },
  inProcessBytes: {
    text: "Decision in process, upstream in memory",
    atMost: 12,
    unit: "KiB",
    digits: 1
  },
  unusedFilterBytes: {
    text: "content filters of other callers, bytes beyond none",
    atMost: 0.5,
    unit: "KiB",
    digits: 1
  },
  filterBytes: {
    text: "all content filters on a short chat, bytes beyond none",
    atMost: 7.5,
    unit: "KiB",
    digits: 1
  },
  unusedCacheBytes: {
    text: "a cache of responses that a chat does not use, bytes beyond none",
    atMost: 0.5,
    unit: "KiB",
    digits: 1
  },
  restricted: { text: "every restriction at once: CPU, relative to none", atMost: 1.1 },
  unusedFilters: { text: "content filters of other callers: CPU, relative to none", atMost: 1.03 },
  unusedCache: {
    text: "a cache of responses that a chat does not use: CPU, relative to none",
    atMost: 1.03
  },
  hitCpu: { text: `chat answered from the cache of responses: ${cost}`, atMost: 1.4 },
  filterP99: { text: "all content filters on 16 KiB: p99 added", atMost: 1, unit: "ms" },
  addedP99: { text: "p99 added at 200 requests a second", atMost: 1, unit: "ms" },
  addedFirstByte: {
    text: "first byte of speech, one request at a time: median added to the pass-through's",
    atMost: 2,
    unit: "ms"
  },
  peerThroughput: { text: "chat: throughput, of Portkey's", atLeast: 8 },
  peerCpu: { text: "chat: CPU, relative to Portkey", atMost: 1 / 6 },
  start: { text: "import and make, relative to importing the effect modules", atMost: 1.3 },
  bundledStart: { text: "the same in an application that is bundled", atMost: 1 },
  effectModules: { text: "effect modules imported at start", atMost: 45, digits: 0 },
  idleMemory: {
    text: "idle instance beyond bare Express, RSS",
    atMost: 50,
    unit: "MB",
    digits: 0
  },
  stall: {
    text: "longest hold of the event loop by one legal request of up to 1 MiB",
    atMost: 20,
    unit: "ms",
    digits: 1
  },
  heapSlope: {
    text: "growth of the heap under mixed traffic, after the first 60,000 requests",
    atMost: 10,
    unit: "kB/min",
    digits: 1
  }
} as const satisfies Record<string, Goal>

export type GoalName = keyof typeof goals

/** What a benchmark reached. */
export interface Reached {
  readonly goal: GoalName
  readonly value: number
  /** Where, if it is the worst of several figures. */
  readonly where?: string
  /** The best of them. */
  readonly best?: number
}

/** The file that collects what several benchmarks report. */
export const figuresVariable = "BENCH_FIGURES"

/** Prints what was reached beside its goal, or leaves that to the benchmark that runs this one. */
export const report = (...reached: ReadonlyArray<Reached>): void => {
  const file = process.env[figuresVariable]
  if (file === undefined) printReached(reached)
  else for (const each of reached) appendFileSync(file, `${JSON.stringify(each)}\n`)
}

/** What the benchmarks reported to a file. */
export const readReached = (file: string): ReadonlyArray<Reached> =>
  existsSync(file)
    ? readFileSync(file, "utf8")
        .split("\n")
        .filter(Boolean)
        .map((line): Reached => JSON.parse(line))
    : []

/** In the order of the goals. */
export const printReached = (reached: ReadonlyArray<Reached>): void => {
  const names = Object.keys(goals)
  const sorted = reached.toSorted(
    (one, other) => names.indexOf(one.goal) - names.indexOf(other.goal)
  )
  console.table(
    sorted.map(({ best, goal, value, where }) => {
      const { atLeast, atMost, digits = 2, text, unit = "" }: Goal = goals[goal]
      const isMet = value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity)
      const limit = atMost === undefined ? `>= ${atLeast}` : `<= ${Number(atMost.toFixed(2))}`
      return {
        measure: text,
        goal: `${limit} ${unit}`.trim(),
        reached: `${value.toFixed(digits)} ${unit}`.trim(),
        where: where ?? "",
        best: best?.toFixed(digits) ?? "",
        "": isMet ? "met" : "MISSED"
      }
    })
  )
}

/** The measures that nothing was reported of. */
export const findMissing = (reached: ReadonlyArray<Reached>): ReadonlyArray<string> =>
  Object.entries<Goal>(goals)
    .filter(([name]) => !reached.some(({ goal }) => goal === name))
    .map(([, { text }]) => text)

/** The worst of several figures of one goal. */
export const findWorst = (
  goal: GoalName,
  figures: ReadonlyArray<Omit<Reached, "goal">>
): Reached => {
  const { atLeast }: Goal = goals[goal]
  const sorted = figures.toSorted((one, other) =>
    atLeast === undefined ? other.value - one.value : one.value - other.value
  )
  const { value = Number.NaN, where } = sorted[0] ?? {}
  const best = sorted.length > 1 ? sorted.at(-1)?.value : undefined
  return {
    goal,
    value,
    ...(where === undefined ? undefined : { where }),
    ...(best === undefined ? undefined : { best })
  }
}
