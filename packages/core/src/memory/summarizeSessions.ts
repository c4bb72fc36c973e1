/** Sums up the requests of each session. */
import type { Generation } from "../engine/observability/generations/Generation.ts"
import { toFigures, toFilterValues } from "../engine/observability/generations/GenerationFilter.ts"
import {
  maxSessionNames,
  type SessionNames,
  type SessionPosition,
  type SessionSummary
} from "../engine/observability/generations/SessionSummary.ts"
import * as NanoUsd from "../values/usage/NanoUsd.ts"

/** In the order of `SessionPage`. Requests without a session do not count. */
export const summarizeSessions = (
  generations: ReadonlyArray<Generation>
): ReadonlyArray<SessionSummary> =>
  Array.from(
    Map.groupBy(
      generations.filter(({ session }) => session !== undefined),
      ({ session, workspace }) => JSON.stringify([workspace, session])
    ).values(),
    summarize
  ).toSorted(compareSessions)

/** The order of `SessionPage`: negative when the first comes before the second. */
export const compareSessions = (one: SessionPosition, that: SessionPosition): number =>
  that.lastAt - one.lastAt ||
  compareText(that.id, one.id) ||
  compareText(that.workspace, one.workspace)

const compareText = (one: string, that: string): number => (one === that ? 0 : one < that ? -1 : 1)

const summarize = (generations: ReadonlyArray<Generation>): SessionSummary => {
  const starts = generations.map(({ startedAt }) => startedAt)
  const values = generations.map(toFilterValues)
  return {
    id: values[0]?.session ?? "",
    workspace: values[0]?.workspace ?? "",
    firstAt: starts.reduce((one, that) => Math.min(one, that)),
    lastAt: starts.reduce((one, that) => Math.max(one, that)),
    requests: generations.length,
    failed: values.filter(({ outcome }) => outcome !== "answered").length,
    cost: NanoUsd.make(generations.reduce((sum, { cost = 0n }) => sum + cost, 0n)),
    tokens: generations.reduce((sum, each) => sum + (toFigures(each).tokens ?? 0), 0),
    models: countNames(values.map(({ model }) => model)),
    users: countNames(values.map(({ user }) => user)),
    externalUsers: countNames(values.map(({ externalUser }) => externalUser))
  }
}

const countNames = (values: ReadonlyArray<string | undefined>): SessionNames => {
  const requests = new Map<string, number>()
  for (const name of values) {
    if (name !== undefined) requests.set(name, (requests.get(name) ?? 0) + 1)
  }
  const names = Array.from(requests)
    .toSorted(([one, some], [that, others]) => others - some || compareText(one, that))
    .map(([name]) => name)
  return { names: names.slice(0, maxSessionNames), count: names.length }
}
