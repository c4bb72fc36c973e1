/** Makes embeddings at one endpoint: one request for each part that the endpoint takes at once. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as HttpClient from "effect/http/HttpClient"
import type {
  EmbeddingCall,
  EmbeddingCapability,
  EmbeddingInput,
  EmbeddingReply
} from "../../engine/upstreams/EmbeddingCapability.ts"
import { UpstreamDefect, UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { Settings, type SettingsShape } from "../../instance/Settings.ts"
import type {
  AttemptSuccess,
  ChangeReporter,
  RouteTarget,
  RouteWork,
  UsageReporter
} from "../../routing/RouteWork.ts"
import { selectSupported } from "../../routing/selectSupported.ts"
import { isValidUsage, sumUsage, type TokenUsage } from "../../values/usage/TokenUsage.ts"
import { type EmbeddingPartAnswer, joinParts } from "./joinParts.ts"
import {
  countImages,
  estimateInputTokens,
  type ParsedEmbedding
} from "./request/parseEmbeddingRequest.ts"
import { checkVectors } from "./vectors/checkVectors.ts"

type Target = RouteTarget<EmbeddingCapability>
type Inputs = ReadonlyArray<EmbeddingInput>

export const makeEmbeddingWork = (
  parsed: ParsedEmbedding,
  settings: SettingsShape
): RouteWork<EmbeddingCapability, EmbeddingPartAnswer, HttpClient.HttpClient> => ({
  getWorstCase: (target) => estimateWorstCase(parsed, target),
  getUnreportedUsage: (target) => estimateUsage(parsed, target, parsed.items),
  run: (target, { reportChange: onChange, reportUsage }) =>
    Effect.provideService(runParts(parsed, target, reportUsage, onChange), Settings, {
      ...settings,
      maxUpstreamBodyBytes: Math.max(
        settings.maxUpstreamBodyBytes,
        settings.maxEmbeddingAnswerBytes
      )
    })
})

/**
 * Runs the parts one after the other, so that a failed part leaves no request under way, and so that the parts before
 * it are charged for their usage.
 */
const runParts = Effect.fnUntraced(function* (
  parsed: ParsedEmbedding,
  target: Target,
  reportUsage: UsageReporter,
  onChange: ChangeReporter
): Effect.fn.Return<AttemptSuccess<EmbeddingPartAnswer>, UpstreamFailure, HttpClient.HttpClient> {
  const [first, ...others] = splitForTarget(parsed, target)
  const embedPart = (inputs: Inputs) =>
    Effect.tap(
      Effect.flatMap(
        target.capability.embed({ ...toEmbeddingCall(parsed, target, inputs), onChange }),
        (reply) => Effect.fromResult(checkReply(parsed, target, inputs, reply))
      ),
      ({ isEstimated, usage }) =>
        Effect.sync(() => {
          if (others.length > 0) reportUsage(usage, isEstimated)
        })
    )
  // `splitInputs` returns at least one part.
  const answer = yield* embedPart(first!)
  const joined = joinParts(answer, yield* Effect.forEach(others, embedPart))
  if (Result.isFailure(joined)) return yield* failInvalid(joined.failure)
  const { cost, isEstimated, model, usage } = joined.success
  return {
    value: joined.success,
    usage,
    ...(isEstimated ? { isEstimated } : undefined),
    ...(cost === undefined ? undefined : { cost }),
    ...(model === undefined ? undefined : { model })
  }
})

const splitForTarget = (
  { items }: ParsedEmbedding,
  { candidate, capability }: Target
): ReadonlyArray<Inputs> => splitInputs(items, capability, candidate.endpoint.upstreamModel)

const toEmbeddingCall = (
  { encoding, parameters, request }: ParsedEmbedding,
  { candidate: { endpoint }, credential }: Target,
  inputs: Inputs
): EmbeddingCall => {
  const { supportedParameters: supported, upstreamModel } = endpoint
  const { dimensions, input_type: inputType } = request
  return {
    model: upstreamModel,
    inputs,
    encoding,
    parameters: selectSupported(parameters, supported),
    // Endpoints that are known not to support it are not in the plan.
    ...(dimensions === undefined ? undefined : { dimensions }),
    ...(inputType === undefined || supported?.has("input_type") === false
      ? undefined
      : { inputType }),
    ...(credential === undefined ? undefined : { credential })
  }
}

const checkReply = (
  parsed: ParsedEmbedding,
  target: Target,
  inputs: Inputs,
  reply: EmbeddingReply
): Result.Result<EmbeddingPartAnswer, UpstreamFailure> => {
  const usage = isValidUsage(reply.usage)
    ? addImages(inputs, reply.usage)
    : estimateUsage(parsed, target, inputs)
  const checked = checkVectors(reply.vectors, {
    count: inputs.length,
    encoding: parsed.encoding,
    dimensions: parsed.request.dimensions
  })
  if (Result.isFailure(checked)) {
    return Result.fail(toInvalidAnswer(checked.failure, reply.usage))
  }
  const { cost, id, model, tokenDetails } = reply
  return Result.succeed({
    ...checked.success,
    usage,
    isEstimated: !isValidUsage(reply.usage),
    ...(cost === undefined ? undefined : { cost }),
    ...(id === undefined ? undefined : { id }),
    ...(model === undefined ? undefined : { model }),
    ...(tokenDetails === undefined ? undefined : { tokenDetails })
  })
}

const failInvalid = (detail: string) => Effect.fail(toInvalidAnswer(detail))

/** `usage` is left out when it is not valid. */
const toInvalidAnswer = (detail: string, usage?: TokenUsage): UpstreamFailure =>
  new UpstreamFailure({
    kind: "invalid_answer",
    detail,
    ...(isValidUsage(usage) ? { usage } : undefined)
  })

/** The sum over all parts. A provider rejects an input that exceeds the context of its model. */
const estimateWorstCase = (parsed: ParsedEmbedding, target: Target): TokenUsage => {
  const { contextLength = Infinity } = target.candidate.endpoint
  const worst = splitForTarget(parsed, target)
    .map((inputs) => target.capability.estimateWorstCase(toEmbeddingCall(parsed, target, inputs)))
    .reduce(sumUsage)
  return addImages(parsed.items, {
    ...worst,
    inputTokens: Math.min(worst.inputTokens, contextLength * parsed.items.length)
  })
}

/** At most the worst case, which is the reserved amount. */
const estimateUsage = (parsed: ParsedEmbedding, target: Target, inputs: Inputs): TokenUsage => {
  const tokens = inputs.reduce((sum, input) => sum + estimateInputTokens(input), 0)
  const worst = findWorstCase(parsed, target)
  return addImages(inputs, {
    inputTokens: Math.min(tokens, worst?.inputTokens ?? Infinity),
    outputTokens: 0
  })
}

/** A defect in the provider's estimate must not cost the caller an answer that exists. */
const findWorstCase = (parsed: ParsedEmbedding, target: Target): TokenUsage | undefined => {
  try {
    return estimateWorstCase(parsed, target)
  } catch (defect) {
    if (defect instanceof UpstreamDefect) return undefined
    throw defect
  }
}

/** Upstreams count tokens; images with a price of their own are counted here. */
const addImages = (inputs: Inputs, usage: TokenUsage): TokenUsage => {
  const images = countImages(inputs)
  return images === 0 ? usage : { ...usage, images }
}

/** Parts of at most as many as the endpoint takes, in order; at least one. */
export const splitInputs = (
  inputs: ReadonlyArray<EmbeddingInput>,
  { maxInputs: most }: Pick<EmbeddingCapability, "maxInputs">,
  model: string
): ReadonlyArray<ReadonlyArray<EmbeddingInput>> => {
  const maxInputs = (typeof most === "function" ? most(model) : most) ?? Infinity
  if (inputs.length <= maxInputs) return [inputs]
  const parts: Array<ReadonlyArray<EmbeddingInput>> = []
  for (let at = 0; at < inputs.length; at += maxInputs) {
    parts.push(inputs.slice(at, at + maxInputs))
  }
  return parts
}
