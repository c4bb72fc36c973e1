/** What `signalbox doctor` found out about one thing. */
import type { Paint } from "../output/paint.ts"

export interface Check {
  readonly name: string
  /** `unknown`: it could not be checked, which is no failure. */
  readonly status: "ok" | "failed" | "unknown"
  readonly detail: string
  /** What to do about a failure. */
  readonly advice?: string
}

export const pass = (name: string, detail: string): Check => ({ name, status: "ok", detail })

export const skip = (name: string, detail: string): Check => ({ name, status: "unknown", detail })

export const fail = (name: string, detail: string, advice: string): Check => ({
  name,
  status: "failed",
  detail,
  advice
})

const marks = { ok: "✓", failed: "✗", unknown: "–" } as const
const colours = { ok: "green", failed: "red", unknown: "yellow" } as const

export const renderChecks = (checks: ReadonlyArray<Check>, paint: Paint): string => {
  const width = Math.max(...checks.map(({ name }) => name.length))
  return checks
    .flatMap(({ advice, detail, name, status }) => [
      `${paint(colours[status], marks[status])} ${name.padEnd(width)}  ${detail}`,
      ...(advice === undefined ? [] : [`  ${" ".repeat(width)}  → ${advice}`])
    ])
    .join("\n")
}
