/** Reads how a Decision escalates, from either form, and checks it against the questions. */
import * as Arr from "effect/Array"
import * as Result from "effect/Result"
import type { Question, Questions } from "../../../questions/Question.ts"
import type { InvalidRequest } from "../../../values/errors/RequestErrors.ts"
import { failInvalid } from "../../../routing/parseRequest.ts"
import type { DecisionModels, EscalateRequest, WhenCondition } from "./EscalateRequest.ts"
import type { Escalation, EscalationCondition } from "./Escalation.ts"

/** The models besides the requested one, and when unsure answers go to which of them. */
export interface RequestedFallbacks {
  /** Tried in order when the requested model fails. */
  readonly fallbacks: ReadonlyArray<string>
  readonly escalation?: Escalation
}

interface EscalatingRequest {
  readonly model: string
  readonly questions: Questions
  readonly escalate?: EscalateRequest | null
  readonly models?: DecisionModels | null
}

type Parsed<A> = Result.Result<A, InvalidRequest>
type Path = ReadonlyArray<string | number>

/** The fields have been decoded by their schemas, which say nothing of each other. */
export const parseEscalation = ({
  escalate,
  model,
  models,
  questions
}: EscalatingRequest): Parsed<RequestedFallbacks> => {
  const listed = parseModels(models ?? [], questions)
  if (escalate == null || Result.isFailure(listed)) return listed
  if (listed.success.escalation !== undefined) {
    return failInvalid(
      ["escalate"],
      "leave it out, or the condition in models: both say when to ask again"
    )
  }
  return Result.map(parseEscalate(escalate, model, questions), (escalation) => ({
    fallbacks: [...escalation.to, ...listed.success.fallbacks],
    escalation
  }))
}

const parseEscalate = (
  { confidence_below: below, probability_between: between, question, target, to }: EscalateRequest,
  model: string,
  questions: Questions
): Parsed<Escalation> => {
  const models: Arr.NonEmptyReadonlyArray<string> = typeof to === "string" ? [to] : to
  if (models.includes(model)) {
    return failInvalid(["escalate", "to"], "must be another model than the requested one")
  }
  const { max_share: maxShare, relative_accuracy: accuracy } = target ?? {}
  const rules = [
    ...(below === undefined ? [] : [{ type: "confidence", below, coversNoul: true } as const]),
    ...(between === undefined ? [] : [{ type: "probability", between } as const]),
    ...(accuracy === undefined ? [] : [{ type: "relative_accuracy", share: accuracy } as const]),
    ...(maxShare === undefined ? [] : [{ type: "max_share", share: maxShare } as const])
  ]
  const [rule] = rules
  if (rule === undefined || rules.length > 1) {
    return failInvalid(
      ["escalate"],
      "must have exactly one of confidence_below, probability_between, target.relative_accuracy and target.max_share"
    )
  }
  const path = ["escalate", "question"]
  if (question === undefined) {
    return rule.type === "probability"
      ? Result.map(requireNoul(questions, ["escalate", "probability_between"]), () => ({
          to: models,
          rule
        }))
      : Result.succeed({ to: models, rule })
  }
  const found = findQuestion(questions, question, path)
  if (Result.isFailure(found)) return Result.fail(found.failure)
  if (rule.type === "confidence") return Result.succeed({ to: models, rule: { ...rule, question } })
  if (rule.type !== "probability") return Result.succeed({ to: models, question, rule })
  return found.success.type === "noul"
    ? Result.succeed({ to: models, rule: { ...rule, question } })
    : failInvalid(path, onlyNoul)
}

const parseModels = (models: DecisionModels, questions: Questions): Parsed<RequestedFallbacks> => {
  const [first, ...others] = models
  const rest = others.findIndex((each) => typeof each !== "string")
  if (rest >= 0) {
    return failInvalid(["models", rest + 1], "a condition is allowed in the first entry only")
  }
  if (first === undefined || typeof first === "string") {
    return Result.succeed({ fallbacks: models.filter(isName) })
  }
  const to = Arr.of(first.model)
  return Result.map(toCondition(first.when, questions, ["models", 0, "when"], 1), (rule) => ({
    fallbacks: [first.model, ...others.filter(isName)],
    escalation: { to, rule }
  }))
}

const isName = (entry: DecisionModels[number]): entry is string => typeof entry === "string"

const maxNestedGroups = 5

const toCondition = (
  when: WhenCondition,
  questions: Questions,
  path: Path,
  depth: number
): Parsed<EscalationCondition> => {
  if ("confidenceBelow" in when) {
    const { confidenceBelow: below, question } = when
    const condition = { type: "confidence", below, coversNoul: false } as const
    if (question === undefined) return Result.succeed(condition)
    return Result.flatMap(findQuestion(questions, question, [...path, "question"]), ({ type }) =>
      type === "noul"
        ? failInvalid([...path, "question"], "is a yes/no question: use probabilityBetween")
        : Result.succeed({ ...condition, question })
    )
  }
  if ("probabilityBetween" in when) {
    const { probabilityBetween: between, question } = when
    const condition = { type: "probability", between } as const
    if (question === undefined) {
      return Result.map(requireNoul(questions, [...path, "probabilityBetween"]), () => condition)
    }
    return Result.flatMap(findQuestion(questions, question, [...path, "question"]), ({ type }) =>
      type === "noul"
        ? Result.succeed({ ...condition, question })
        : failInvalid([...path, "question"], onlyNoul)
    )
  }
  if (depth >= maxNestedGroups) {
    return failInvalid(path, `conditions may be nested ${maxNestedGroups} levels deep`)
  }
  const [name, nested, atLeast] =
    "any" in when
      ? (["any", when.any, 1] as const)
      : "all" in when
        ? (["all", when.all, when.all.length] as const)
        : (["atLeast", when.atLeast.conditions, when.atLeast.count] as const)
  if (atLeast > nested.length) {
    return failInvalid([...path, "atLeast", "count"], "is more than there are conditions")
  }
  const inside = name === "atLeast" ? [...path, name, "conditions"] : [...path, name]
  return Result.map(
    Result.all(nested.map((each, at) => toCondition(each, questions, [...inside, at], depth + 1))),
    (conditions) => ({ type: "group", atLeast, conditions })
  )
}

const findQuestion = (questions: Questions, name: string, path: Path): Parsed<Question> =>
  Object.hasOwn(questions, name)
    ? Result.succeed(questions[name]!)
    : failInvalid(path, "is not the name of a question")

const onlyNoul = "is not a yes/no question: only those have a probability"

const requireNoul = (questions: Questions, path: Path): Parsed<void> =>
  Object.values(questions).some(({ type }) => type === "noul")
    ? Result.void
    : failInvalid(path, "there is no yes/no question: only those have a probability")
