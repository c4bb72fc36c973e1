/** Rules about what an endpoint can do: its lengths, supported parameters and quantization. */
import { matchesQuantization } from "../../../engine/catalog/endpoint/Quantization.ts"
import type { Candidate } from "../../Candidate.ts"
import type { DialectNeed, Requirements } from "../../Requirements.ts"
import { supportsParameter } from "../findDroppedParameters.ts"
import { type HardRule, requestSource } from "./HardRule.ts"

export const makeContextRule = (requirements: Requirements): HardRule => ({
  rule: "context_length",
  source: requestSource,
  wanted: `room for about ${requirements.inputTokens + requirements.outputTokens} tokens`,
  findViolation: (candidate) => findContextViolation(candidate, requirements)
})

export const findContextViolation = (
  { endpoint: { contextLength = Infinity, maxPromptTokens = Infinity } }: Candidate,
  { inputTokens, outputTokens }: Requirements
): string | undefined => {
  if (inputTokens > maxPromptTokens) return `${maxPromptTokens} tokens of prompt`
  return inputTokens + outputTokens <= contextLength ? undefined : String(contextLength)
}

export const makeOutputRule = ({ outputTokens }: Requirements): HardRule => ({
  rule: "max_completion_tokens",
  source: requestSource,
  wanted: `an answer of ${outputTokens} tokens`,
  findViolation: ({ endpoint: { maxCompletionTokens = Infinity } }) =>
    outputTokens <= maxCompletionTokens ? undefined : String(maxCompletionTokens)
})

/**
 * Requires all parameters of the request, and one of those that the upstream needs for the operation. Without a
 * list of its parameters, an endpoint passes only if its upstream never ignores one.
 */
export const makeParametersRule = ({ parameters, tier }: Requirements): HardRule => ({
  rule: "require_parameters",
  source: requestSource,
  wanted: parameters.length === 0 ? "what the operation needs" : parameters.join(", "),
  findViolation: ({ checksParameters = false, endpoint, needsOneOf }) => {
    const { supportedParameters } = endpoint
    const missing = parameters.filter(
      (parameter) => !(supportsParameter(endpoint, parameter, tier) ?? checksParameters)
    )
    const hasOne = needsOneOf?.some((name) => supportedParameters?.has(name) ?? checksParameters)
    if (needsOneOf !== undefined && hasOne !== true) missing.push(needsOneOf.join(" or "))
    if (missing.length === 0) return undefined
    const names = missing.join(", ")
    return supportedParameters === undefined
      ? `unknown whether it supports ${names}`
      : `without ${names}`
  }
})

/** Other dialects cannot say what the request has at `path`, and the model would miss it. */
export const makeDialectRule = ({ dialect, path }: DialectNeed): HardRule => ({
  rule: "dialect",
  source: requestSource,
  wanted: `a provider with the ${dialect} API, for ${path}`,
  findViolation: ({ dialect: spoken = "chat" }) => (spoken === dialect ? undefined : spoken)
})

/** A model that does not continue an answer would refuse the request: another one may. */
export const makePrefillRule = (path: string): HardRule => ({
  rule: "prefill",
  source: requestSource,
  wanted: `a model that continues the beginning of an answer, for ${path}; end with a message of the user for others`,
  findViolation: ({ refusesPrefill }) => (refusesPrefill === true ? "refuses prefill" : undefined)
})

/** Without a list of its parameters, an endpoint passes: it is sent them all. */
export const makeMandatoryRule = (names: ReadonlyArray<string>): HardRule => ({
  rule: "require_parameters",
  source: requestSource,
  wanted: names.join(", "),
  findViolation: ({ endpoint }) => {
    const missing = names.filter((name) => supportsParameter(endpoint, name, undefined) === false)
    return missing.length === 0 ? undefined : `without ${missing.join(", ")}`
  }
})

/** Of endpoints that say nothing of their formats, the upstream knows. Nothing but an explicit word says that one clones voices. */
export const makeSpeechRules = ({
  clonesVoice,
  format
}: NonNullable<Requirements["speech"]>): ReadonlyArray<HardRule> => [
  {
    rule: "require_parameters",
    source: requestSource,
    wanted: `response_format ${format}`,
    findViolation: ({ endpoint: { speech } }) =>
      speech?.formats?.includes(format) === false ? speech.formats.join(", ") : undefined
  },
  ...(clonesVoice
    ? [
        {
          rule: "require_parameters",
          source: requestSource,
          wanted: "an endpoint that clones voices, for input_references",
          findViolation: ({ endpoint: { speech } }: Candidate) =>
            speech?.voiceCloning === true ? undefined : "without voice cloning"
        } as const
      ]
    : [])
]

export const makeQuantizationRules = (
  requested: ReadonlyArray<string> | undefined
): ReadonlyArray<HardRule> =>
  requested === undefined
    ? []
    : [
        {
          rule: "quantization",
          source: requestSource,
          wanted: `one of ${requested.join(", ")}`,
          findViolation: ({ endpoint: { quantization } }) =>
            requested.some((level) => matchesQuantization(level, quantization))
              ? undefined
              : quantization
        }
      ]
