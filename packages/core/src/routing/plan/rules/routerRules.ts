/** Rules about what a request needs of a model, where a router may choose one that has it. */
import type { Candidate } from "../../Candidate.ts"
import { admits, type RequestedModel, type Requirements } from "../../Requirements.ts"
import { supportsParameter } from "../findDroppedParameters.ts"
import { type HardRule, requestSource } from "./HardRule.ts"

/**
 * An endpoint of a model that was asked for by name gets what its caller sends. A router leaves out models that would miss
 * part of the request: see https://openrouter.ai/docs/guides/routing/routers/free-models-router.
 */
export const makeRouterRules = (
  models: ReadonlyArray<RequestedModel>,
  { inputs = [], parameters, tier }: Requirements
): ReadonlyArray<HardRule> => {
  const isNamed = (candidate: Candidate): boolean =>
    models.some((model) => model.router === undefined && admits(model, candidate))
  const needed = parameters.filter((name) => decisiveParameters.has(name))
  const rules: Array<HardRule> = []
  if (needed.length > 0) {
    rules.push({
      rule: "require_parameters",
      source: requestSource,
      wanted: needed.join(", "),
      findViolation: (candidate) => {
        const missing = needed.filter(
          (name) => supportsParameter(candidate.endpoint, name, tier) === false
        )
        return missing.length === 0 || isNamed(candidate)
          ? undefined
          : `without ${missing.join(", ")}`
      }
    })
  }
  if (inputs.length > 0) {
    rules.push({
      rule: "input_modalities",
      source: requestSource,
      wanted: `a model that reads ${inputs.join(", ")}`,
      findViolation: (candidate) => {
        const { inputs: read = textOnly } = candidate
        return inputs.every((input) => read.includes(input)) || isNamed(candidate)
          ? undefined
          : read.join(", ")
      }
    })
  }
  return rules
}

const textOnly = ["text"]

/** Parameters without which an answer is another one. */
const decisiveParameters: ReadonlySet<string> = new Set([
  "audio",
  "functions",
  "logprobs",
  "modalities",
  "response_format",
  "tools",
  "top_logprobs"
])
