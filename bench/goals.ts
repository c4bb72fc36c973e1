/** What a request, a start and an hour of work may cost, and how benchmarks report what they reached. */
import { appendFileSync, existsSync, readFileSync } from "node:fs"

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

export const goals = {
  decisionBytes: {
    text: "Decision over HTTP, bytes beyond the pass-through",
    atMost: 30,
    unit: "KiB",
    digits: 1
  },
  chatBytes: {
    text: "chat answered whole, bytes beyond the pass-through",
    atMost: 30,
    unit: "KiB",
    digits: 1
  },
  eventBytes: {
    text: "each streamed event, bytes beyond the pass-through",
    atMost: 1.5,
    unit: "KiB"
  },
  translatedBytes: {
    text: "chat translated to another dialect, bytes beyond the pass-through",
    atMost: 45,
    unit: "KiB",
    digits: 1
  },
  translatedEventBytes: {
    text: "each event translated from another dialect, bytes beyond the pass-through",
    atMost: 3,
    unit: "KiB"
  },
  inProcessBytes: {
    text: "Decision in process, upstream in memory",
    atMost: 12,
    unit: "KiB",
    digits: 1
  },
  decisionThroughput: { text: `Decision: ${ratio}`, atLeast: 0.6 },
  chatThroughput: { text: `chat answered whole: ${ratio}`, atLeast: 0.6 },
  apartThroughput: { text: `stream, events apart: ${ratio}`, atLeast: 0.6 },
  togetherThroughput: { text: `stream, events together: ${ratio}`, atLeast: 0.6 },
  decisionCpu: { text: `Decision: ${cost}`, atMost: 1.7 },
  chatCpu: { text: `chat answered whole: ${cost}`, atMost: 1.7 },
  apartCpu: { text: `stream, events apart: ${cost}`, atMost: 1.7 },
  togetherCpu: { text: `stream, events together: ${cost}`, atMost: 1.7 },
  restricted: { text: "every restriction at once: CPU, relative to none", atMost: 1.15 },
  addedP99: { text: "p99 added at 200 requests a second", atMost: 1, unit: "ms" },
  start: { text: "import and make, relative to importing the effect modules", atMost: 1.3 },
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
  peerThroughput: { text: "chat: throughput, of Portkey's", atLeast: 8 },
  peerCpu: { text: "chat: CPU, relative to Portkey", atMost: 1 / 6 },
  heapSlope: {
    text: "growth of the heap under mixed traffic, beyond its noise",
    atMost: 0,
    unit: "KiB/min",
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

export const printReached = (reached: ReadonlyArray<Reached>): void => {
  console.table(
    reached.map(({ goal, value, where }) => {
      const { atLeast, atMost, digits = 2, text, unit = "" }: Goal = goals[goal]
      const isMet = value <= (atMost ?? Infinity) && value >= (atLeast ?? -Infinity)
      const limit = atMost === undefined ? `>= ${atLeast}` : `<= ${Number(atMost.toFixed(2))}`
      return {
        measure: text,
        goal: `${limit} ${unit}`.trim(),
        reached: `${value.toFixed(digits)} ${unit}`.trim(),
        worst: where ?? "",
        "": isMet ? "met" : "MISSED"
      }
    })
  )
}

/** The measures that nothing was reported of. Other gateways, which need an installation, are no part of them. */
export const findMissing = (reached: ReadonlyArray<Reached>): ReadonlyArray<string> =>
  Object.entries<Goal>(goals)
    .filter(([name]) => !name.startsWith("peer") && !reached.some(({ goal }) => goal === name))
    .map(([, { text }]) => text)

/** The worst of several figures of one goal. */
export const findWorst = (
  goal: GoalName,
  figures: ReadonlyArray<Omit<Reached, "goal">>
): Reached => {
  const { atLeast }: Goal = goals[goal]
  const [worst = { value: Number.NaN }] = figures.toSorted((one, other) =>
    atLeast === undefined ? other.value - one.value : one.value - other.value
  )
  return { ...worst, goal }
}
