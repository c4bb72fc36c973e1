/** Puts one flaw into correct answers. */
import type { DecisionContent } from "./Content.ts"
import { isObject } from "./getProperty.ts"
import { ScriptError } from "./ScriptError.ts"

type Answers = Readonly<Record<string, unknown>>

/**
 * An answer is one of the Decisions API (`{type, ...}`), or a chat's answer to a question: a number, an object of numbers,
 * or an option.
 */
export const applyFlaw = (answers: Answers, flaw: DecisionContent["flaw"]): Answers => {
  if (flaw === undefined) return answers
  const name = flaw.question ?? Object.keys(answers)[0] ?? ""
  if (!Object.hasOwn(answers, name)) {
    throw new ScriptError(`"${name}" is not asked; asked are: ${Object.keys(answers).join(", ")}`)
  }
  const { [name]: answer, ...others } = answers
  switch (flaw.kind) {
    case "missing_question":
      return others
    case "extra_question":
      return { ...answers, never_asked: answer }
    case "wrong_type":
      return { ...answers, [name]: withWrongType(answer) }
    case "unnormalised":
      return { ...answers, [name]: corrupt(answer, multiply(2), multiply(1000)) }
    case "not_a_number":
      return { ...answers, [name]: corrupt(answer, notANumber, notANumber) }
  }
}

const withWrongType = (answer: unknown): unknown => {
  if (!isObject(answer)) return {}
  if (typeof answer["type"] !== "string") return "certainly"
  return answer["type"] === "noul" ? { type: "score", score: 1 } : { type: "noul", noul: 0.5 }
}

type Corrupt = (value: unknown) => unknown

/** `each` applies to the numbers of a distribution, `single` to a single value. */
const corrupt = (answer: unknown, each: Corrupt, single: Corrupt): unknown => {
  if (Array.isArray(answer)) return answer.map(each)
  if (!isObject(answer)) return single(answer)
  if (answer["type"] === "noul") return { ...answer, noul: single(answer["noul"]) }
  return typeof answer["type"] === "string"
    ? { ...answer, probabilities: corrupt(answer["probabilities"], each, single) }
    : Object.fromEntries(Object.entries(answer).map(([label, value]) => [label, each(value)]))
}

const multiply =
  (factor: number): Corrupt =>
  (value) =>
    typeof value === "number" ? value * factor : value

const notANumber: Corrupt = () => "NaN"
