/** Sends the events of the demo's films to the receivers of the demo. */
import type { Signalbox } from "@signalbox/core"

const webhooks = [
  { workspace: "demo-support", receiver: "ledger" },
  { workspace: "demo-research", receiver: "archive" }
]

/** `origin` is the receivers' origin, which may have had another port at an earlier start. */
export const openWebhooks = async (
  instance: Pick<Signalbox, "webhooks">,
  origin: string
): Promise<void> => {
  for (const { receiver, workspace } of webhooks) {
    await instance.webhooks.set({
      id: workspace,
      callback_url: `${origin}/demo/receivers/${receiver}`
    })
  }
}
