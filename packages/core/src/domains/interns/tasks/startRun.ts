/** Starts the next run of an intern. */
import * as Struct from "effect/Struct"
import type { Intern, InternRun } from "../Intern.ts"

/** A run with the name, model and instructions of `settings`. */
export const startRun = (
  { run }: Intern,
  kind: InternRun["kind"],
  settings: Pick<Intern, "instructions" | "model" | "name">
): InternRun => ({
  ...Struct.pick(run, ["hasRun", "notes"]),
  ...Struct.pick(settings, ["instructions", "model", "name"]),
  number: run.number + 1,
  kind,
  completedSteps: 0
})

/** The intern, queued for a provision with its current name, model and instructions. */
export const toQueuedIntern = (intern: Intern, at: number): Intern => ({
  ...intern,
  status: "queued",
  progress: null,
  lastFailureMessage: null,
  updatedAt: at,
  run: startRun(intern, "provision", intern)
})
