/** Creates the interns of the demo: one runs, the provisioning of one fails, and one was never provisioned. */
import type { CallerConfig, Signalbox } from "@signalbox/core"
import { unluckyName } from "./makeDemoInternHost.ts"

const interns = [
  { name: "librarian", description: "Answers questions about the handbook", provision: true },
  { name: unluckyName, description: "Sorts the mail", provision: true },
  { name: "night-watch", description: "Reads the alerts of the night" }
]

export const openInterns = async (
  instance: Pick<Signalbox, "interns">,
  caller: CallerConfig
): Promise<void> => {
  const { data } = await instance.interns.list({}, { caller })
  for (const intern of interns) {
    // An earlier start has created it.
    if (data.some(({ name }) => name === intern.name)) continue
    await instance.interns.create(intern, { caller })
  }
}
