/** The intern as its host sees it: with the name, model and instructions of its run, if it has one. */
import * as Struct from "effect/Struct"
import type { Intern } from "../Intern.ts"
import type { InternHostView } from "./InternHost.ts"

export const toHostView = (intern: Intern): InternHostView => {
  const { run } = intern
  return {
    ...Struct.pick(intern, ["account", "creator", "hostname", "id", "workspace"]),
    ...Struct.pick(run.kind === "none" ? intern : run, ["instructions", "model", "name"]),
    run: run.number,
    notes: run.notes
  }
}
