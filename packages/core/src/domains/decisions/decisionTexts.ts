/** The texts of a Decision: its state and its questions. */
import { applyEdits } from "../../engine/filters/TextSlot.ts"
import type { ScreenedTexts } from "../../routing/filters/ContentFilters.ts"
import { isMediaPart } from "../../engine/outbound/findMediaProblem.ts"
import { type ParsedDecision, toParsed } from "./parseDecisionRequest.ts"

export const decisionTexts: ScreenedTexts<ParsedDecision> = {
  addTexts: ({ request }, slots) => {
    const { questions, state } = request
    if (Array.isArray(state)) {
      for (const [at, item] of state.entries()) {
        if (isMediaPart(item)) slots.addContent(state, at, `state.${at}`, "user")
        else slots.addData(state, at, `state.${at}`, "user")
      }
    } else slots.addData(request, "state", "state", "user")
    // Answers have the names of the questions, so those stay.
    for (const question of Object.values(questions)) {
      slots.addData(question, "instructions", "questions", "system")
      if (!("criteria" in question) || question.criteria === undefined) continue
      for (const name of Object.keys(question.criteria)) {
        slots.addData(question.criteria, name, "questions", "system")
      }
    }
  },
  edit: (parsed, edits) => ({
    ...parsed,
    ...toParsed(applyEdits(parsed.request, edits), parsed.bytes)
  })
}
