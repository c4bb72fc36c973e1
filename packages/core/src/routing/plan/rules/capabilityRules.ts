/** Rules about what an endpoint can do: its lengths, supported parameters and quantization. */
import type { Endpoint } from "../../../engine/catalog/endpoint/Endpoint.ts"
import { matchesQuantization } from "../../../engine/catalog/endpoint/Quantization.ts"
import type { Candidate } from "../../Candidate.ts"
import type { RejectedCandidate } from "../../Reason.ts"
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
  { endpoint }: Candidate,
  requirements: Requirements
): string | undefined =>
  !exceedsContext(endpoint, requirements) || mayCompress(endpoint, requirements)
    ? undefined
    : describeContext(endpoint, requirements)

const describeContext = (
  { contextLength = Infinity, maxPromptTokens = Infinity }: Endpoint,
  { inputTokens }: Requirements
): string =>
  inputTokens > maxPromptTokens ? `${maxPromptTokens} tokens of prompt` : String(contextLength)

/** Whether an endpoint has no room for the whole prompt and its answer. */
export const exceedsContext = (
  {
    contextLength = Infinity,
    maxPromptTokens = Infinity
  }: Pick<Endpoint, "contextLength" | "maxPromptTokens">,
  { inputTokens, outputTokens }: Pick<Requirements, "inputTokens" | "outputTokens">
): boolean => inputTokens > maxPromptTokens || inputTokens + outputTokens > contextLength

/**
 * "All OpenRouter endpoints with 8k (8,192 tokens) or less context length will default to using middle-out"
 * (https://openrouter.ai/docs/transforms).
 */
const smallContext = 8_192

const mayCompress = (
  { contextLength = Infinity }: Endpoint,
  { compression, outputTokens }: Requirements
): boolean =>
  outputTokens < contextLength &&
  (compression === "asked" || (compression === "default" && contextLength <= smallContext))

/**
 * Of the endpoints of a model that have no room for the whole prompt, none stays beside one that has. Where none has, those
 * stay that have room for half of it, or else those with the most: https://openrouter.ai/docs/transforms.
 */
export const preferRoom = (
  candidates: ReadonlyArray<Candidate>,
  requirements: Requirements,
  rejected: Array<RejectedCandidate>
): ReadonlyArray<Candidate> => {
  if (requirements.compression === undefined) return candidates
  if (!candidates.some(({ endpoint }) => exceedsContext(endpoint, requirements))) return candidates
  const least = new Map<string, number>()
  for (const { endpoint } of candidates) {
    least.set(
      endpoint.model,
      Math.max(least.get(endpoint.model) ?? 0, getRoom(endpoint, requirements))
    )
  }
  const hasRoom = ({ endpoint }: Candidate): boolean =>
    getRoom(endpoint, requirements) === least.get(endpoint.model)
  const { rule, source, wanted } = makeContextRule(requirements)
  for (const candidate of candidates) {
    if (hasRoom(candidate)) continue
    const found = describeContext(candidate.endpoint, requirements)
    rejected.push({ candidate, reasons: [{ rule, source, wanted, found }] })
  }
  return candidates.filter(hasRoom)
}

/** Infinity: for all of it. Endpoints with room for half are equal. */
const getRoom = (endpoint: Endpoint, requirements: Requirements): number => {
  if (!exceedsContext(endpoint, requirements)) return Infinity
  const { contextLength = 0 } = endpoint
  const half = (requirements.inputTokens + requirements.outputTokens) / 2
  return Math.min(contextLength, half)
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
