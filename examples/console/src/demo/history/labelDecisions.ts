/** Asks Decisions and labels their answers, so that the calibration of the demo has something to learn from. */
import type { Signalbox } from "@signalbox/core"
import { exampleRequest } from "../../host/exampleRequest.ts"

/** More than a map of its own needs. */
const count = 60
const atOnce = 6

/** `what happened`, and whether the customer left. The model, which counts words, is wrong about every third. */
const cases = [
  { state: "Cancel my subscription today, I switch to a competitor", leaving: true },
  { state: "Please renew my subscription, I want to stay", leaving: false },
  { state: "I would never cancel, the subscription is great", leaving: false },
  { state: "Where can I upgrade?", leaving: false },
  { state: "This was the last time that I paid you", leaving: true },
  { state: "I threaten to end this if nobody answers", leaving: true }
]

export const labelDecisions = async (
  instance: Pick<Signalbox, "decide" | "label">,
  signal: AbortSignal
): Promise<void> => {
  const labelOne = async (state: string, leaving: boolean): Promise<void> => {
    const { id } = await instance.decide(
      {
        model: "demo/triage-1",
        state,
        questions: { leaving: exampleRequest.questions.leaving },
        calibration: { mode: "auto" }
      },
      { signal }
    )
    if (id !== undefined) await instance.label({ generation_id: id, labels: { leaving } })
  }
  for (let from = 0; from < count && !signal.aborted; from += atOnce) {
    // The providers of the demo fail now and then, on purpose: such a case has no label.
    await Promise.allSettled(
      cases.map(({ leaving, state }, index) => labelOne(`${state} (case ${from + index})`, leaving))
    )
  }
}
