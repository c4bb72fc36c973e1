/** What an instance says of itself: its health, its metrics, and what it would do with a request. */
import * as Effect from "effect/Effect"
import { makeDryRun } from "./DryRun.ts"
import { makeHealthReport } from "./makeHealthReport.ts"
import { makeMetricsText } from "./makeMetricsText.ts"

export const makeReports = Effect.all({
  explain: makeDryRun,
  health: makeHealthReport,
  metrics: makeMetricsText
})
