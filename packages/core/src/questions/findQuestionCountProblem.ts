/** Checks the number of questions and options of a Decision before each is parsed. */
import * as Predicate from "effect/Predicate"
import type { SettingsShape } from "../instance/Settings.ts"
import type { InvalidRequest } from "../values/errors/RequestErrors.ts"
import { findCountProblem } from "../values/validation/findCountProblem.ts"

/** Ignores invalid questions, which are rejected later. */
export const findQuestionCountProblem = (
  questions: unknown,
  settings: SettingsShape
): InvalidRequest | undefined => {
  if (!Predicate.isObject(questions)) return undefined
  const names = Object.keys(questions)
  const problem = findCountProblem(names.length, "maxQuestions", settings, ["questions"])
  if (problem !== undefined) return problem
  let options = 0
  for (const name of names) {
    const question = questions[name]
    const criteria = Predicate.isObject(question) ? question["criteria"] : undefined
    if (typeof criteria !== "object" || criteria === null) continue
    const isScale = Array.isArray(criteria)
    const count = isScale ? criteria.length : Object.keys(criteria).length
    const setting = isScale ? "maxLevels" : "maxLabels"
    const found = findCountProblem(count, setting, settings, ["questions", name, "criteria"])
    if (found !== undefined) return found
    options += count
  }
  return findCountProblem(options, "maxOptions", settings, ["questions"])
}
