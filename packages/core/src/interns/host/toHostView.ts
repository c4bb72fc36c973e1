/** The intern as its host sees it: with the values of its run, or before any run with its own. */
import type { Intern } from "../Intern.ts"
import type { InternHostView } from "./InternHost.ts"

export const toHostView = (intern: Intern): InternHostView => {
  const { account, creator, hostname, id, run, workspace } = intern
  const { instructions, model, name } = run.kind === "none" ? intern : run
  return {
    id,
    account,
    workspace,
    creator,
    name,
    model,
    instructions,
    hostname,
    run: run.number,
    notes: run.notes
  }
}
