/** What a host of interns is told of one: what its run began with; before any run, what it says now. */
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
