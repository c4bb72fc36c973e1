/** The intern queued for a provision with its current name, model and instructions. */
import type { Intern } from "../Intern.ts"

export const toQueuedIntern = (intern: Intern, at: number): Intern => ({
  ...intern,
  status: "queued",
  progress: null,
  lastFailureMessage: null,
  updatedAt: at,
  run: {
    number: intern.run.number + 1,
    kind: "provision",
    hasRun: intern.run.hasRun,
    name: intern.name,
    model: intern.model,
    instructions: intern.instructions,
    completedSteps: 0,
    notes: intern.run.notes
  }
})
