/** Answers requests of the Decisions API. */
import type { ScriptedResponse } from "./ScriptedResponse.ts"
import * as answer from "./ScriptedResponse.ts"
import { applyFlaw } from "./applyFlaw.ts"
import type { DecisionContent, MessageContent } from "./Content.ts"
import { assignDistributions, findIndexOfMax, toWeights } from "./Distribution.ts"
import { toScriptErrorResponse, toErrorResponse } from "./toErrorResponse.ts"
import { isObject, getProperty } from "./getProperty.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import { ScriptError } from "./ScriptError.ts"
import { countTokens } from "./countTokens.ts"

export const toDecisionsResponse = (
  request: RecordedRequest,
  content: MessageContent
): ScriptedResponse => {
  switch (content.type) {
    case "decision":
      return toDecision(request, content)
    case "refusal":
      return toErrorResponse("decisions", {
        type: "error",
        code: 400,
        status: 400,
        kind: "content_policy_violation",
        message: "The request was refused by the content policy",
        headers: {}
      })
    case "chat":
    case "logprobs":
      throw new ScriptError(`the Decisions API has no ${content.type} answer`)
  }
}

const toDecision = (request: RecordedRequest, { distributions, flaw, report }: DecisionContent) => {
  const questions = parseQuestions(getProperty(request.body, "questions"))
  const { model } = request
  if (model === undefined || getProperty(request.body, "state") === undefined || !questions) {
    return toScriptErrorResponse("decisions", 400, "model, state and questions are required")
  }
  const names = questions.map(({ name }) => name)
  const given = assignDistributions(names, distributions)
  const answers = Object.fromEntries(
    questions.map((question) => {
      const { criteria, name } = question
      return [name, toAnswer(question, toWeights(Object.keys(criteria), given.get(name)))]
    })
  )
  return answer.makeJsonResponse({
    id:
      report.id ?? `gen-dec-${1_700_000_000 + request.at}-${String(request.at).padStart(20, "0")}`,
    model: report.model ?? model,
    provider: report.provider ?? "Scripted",
    answers: applyFlaw(answers, flaw),
    usage: {
      input_tokens: report.usage?.inputTokens ?? countTokens(request.raw),
      output_tokens: report.usage?.outputTokens ?? 0,
      ...(report.cost === undefined ? undefined : { cost: report.cost })
    }
  })
}

interface ParsedQuestion {
  readonly name: string
  readonly type: "noul" | "choice" | "score"
  /** The guidance of each option by label. */
  readonly criteria: Readonly<Record<string, unknown>>
}

/** Undefined if one of the questions is invalid. */
const parseQuestions = (questions: unknown): ReadonlyArray<ParsedQuestion> | undefined => {
  if (!isObject(questions)) return undefined
  const read = Object.entries(questions).flatMap(([name, question]) =>
    parseQuestion(name, question)
  )
  return read.length > 0 && read.length === Object.keys(questions).length ? read : undefined
}

const parseQuestion = (name: string, question: unknown): ReadonlyArray<ParsedQuestion> => {
  const type = getProperty(question, "type")
  const criteria = getProperty(question, "criteria")
  if (type === "noul") return [{ name, type, criteria: { yes: null, no: null } }]
  if (type === "choice" && isObject(criteria)) return [{ name, type, criteria }]
  return type === "score" && Array.isArray(criteria)
    ? [{ name, type, criteria: Object.fromEntries(criteria.entries()) }]
    : []
}

const toAnswer = ({ criteria, type }: ParsedQuestion, weights: ReadonlyArray<number>) => {
  if (type === "noul") return { type, noul: weights[0] }
  const labels = Object.keys(criteria)
  const probabilities = Object.fromEntries(labels.map((label, i) => [label, weights[i]]))
  // It differs from the confidence that Signalbox derives, so tests can distinguish the two.
  const confidence = Math.max(...weights)
  if (type === "choice") {
    return { type, choice: labels[findIndexOfMax(weights)], confidence, probabilities }
  }
  const score = weights.reduce((sum, weight, level) => sum + weight * level, 0)
  return { type, score, confidence, probabilities, legend: criteria }
}
