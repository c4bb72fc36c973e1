import { expect, test } from "vitest"
import { toMarks } from "../../app/charts/toMarks.ts"

const now = Date.UTC(2026, 0, 2)
const minute = 60_000
const toIso = (minutesAgo: number): string => new Date(now - minutesAgo * minute).toISOString()
const range = { from: now - 60 * minute, to: now }
const process = (started: number, version: string, made = started, fingerprint = "f") => ({
  started_at: toIso(started),
  version,
  configuration: { fingerprint, made_at: toIso(made), models: 7 }
})
const incident = (started: number, ended: number | null) => ({
  ended_at: ended === null ? null : toIso(ended),
  provider_name: "Driftwood",
  started_at: toIso(started)
})
const read = (...given: Parameters<typeof toMarks>) =>
  toMarks(...given).map(({ at, text, until }) => [
    (now - at) / minute,
    ...(until === undefined ? [] : [(now - until) / minute]),
    text
  ])

test("processes of one roll-out are one mark, and other versions another one", () => {
  const processes = [process(41, "1.2.0"), process(35, "1.2.0"), process(34, "1.3.0")]
  expect(read([...processes, process(600, "1.1.0")], [], range)).toEqual([
    [41, "2 processes started with version 1.2.0"],
    [34, "a process started with version 1.3.0"]
  ])
})

test("a configuration is a mark where it came after the start", () => {
  const processes = [process(600, "1", 20, "new"), process(600, "1", 19, "new"), process(600, "1")]
  expect(read(processes, [], range)).toEqual([[20, "new configuration of 7 models in 2 processes"]])
})

test("incidents last until they end, or to the end of the time, and begin before it", () => {
  expect(read([], [incident(90, null), incident(30, 10), incident(900, 800)], range)).toEqual([
    [90, 0, "Driftwood fails"],
    [30, 10, "Driftwood failed for 20 min"]
  ])
})

test("of many the latest are shown", () => {
  const incidents = Array.from({ length: 40 }, (_, at) => incident(50 - at, 49.5 - at))
  const marks = read([], incidents, range)
  expect(marks).toHaveLength(12)
  expect(marks.at(-1)?.[0]).toBe(11)
})
