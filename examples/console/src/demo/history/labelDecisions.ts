/** Asks Decisions and labels their answers, so that the calibration of the demo has something to learn from. */
import type { Signalbox } from "@signalbox/core"
import { exampleRequest } from "../../host/exampleRequest.ts"

/** 120 labels in all. */
const rounds = 20

/**
 * What customers wrote, and how many of ten who wrote such a thing left. The model, which counts words, is surer than that: of
 * the first one it says 98 %.
 */
const cases = [
  { state: "Cancel my subscription today, I switch to a competitor", leftOfTen: 7 },
  { state: "I threaten to end this if nobody answers", leftOfTen: 6 },
  { state: "Cancel, or refund me", leftOfTen: 5 },
  { state: "My card was charged twice, refund me or I cancel", leftOfTen: 5 },
  { state: "This was the last time that I paid you", leftOfTen: 5 },
  { state: "Please renew my subscription, I want to stay", leftOfTen: 5 }
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
  for (let round = 0; round < rounds && !signal.aborted; round++) {
    // The providers of the demo fail now and then, on purpose: such a case has no label.
    await Promise.allSettled(
      cases.map(({ leftOfTen, state }) =>
        labelOne(`${state} (case ${round})`, round % 10 < leftOfTen)
      )
    )
  }
}
