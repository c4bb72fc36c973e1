/** Transcribes a recording at one endpoint. */
import type * as HttpClient from "effect/http/HttpClient"
import { includesParameter } from "../../engine/catalog/endpoint/SupportedParameters.ts"
import { UpstreamDefect } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type {
  TranscriptionCall,
  TranscriptionCapability,
  TranscriptionReply
} from "../../engine/upstreams/TranscriptionCapability.ts"
import { Settings, type SettingsShape } from "../../instance/Settings.ts"
import { selectProviderOptions } from "../../routing/providerOptions.ts"
import type { AttemptSuccess, RouteTarget, RouteWork } from "../../routing/RouteWork.ts"
import { selectSupported } from "../../routing/selectSupported.ts"
import * as Step from "../../values/Step.ts"
import { isValidUsage, type TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { ParsedTranscription } from "./parseTranscription.ts"

type Target = RouteTarget<TranscriptionCapability>

export const makeTranscriptionWork = (
  parsed: ParsedTranscription,
  settings: SettingsShape
): RouteWork<TranscriptionCapability, TranscriptionReply, HttpClient.HttpClient> => {
  // A provider answers when it has heard the whole recording: OpenRouter gives it a minute, which is twice our default.
  // https://openrouter.ai/docs/guides/overview/multimodal/stt
  const patient = { ...settings, headersTimeoutMillis: settings.headersTimeoutMillis * 2 }
  return {
    getWorstCase: (target) => getWorstCase(parsed, target),
    getUnreportedUsage: (target) => estimateUsage(parsed, target),
    run: (target, { reportChange: onChange }) =>
      Step.map(
        Step.provideService(
          target.capability.transcribe({ ...toCall(parsed, target), onChange }),
          Settings,
          patient
        ),
        (reply) => toSuccess(parsed, target, reply)
      )
  }
}

/** Providers round the length up to a whole second. */
const getMaxMillis = ({ length: { maxMillis } }: ParsedTranscription): number =>
  Math.ceil(maxMillis / 1_000) * 1_000 + 1_000

const getWorstCase = (parsed: ParsedTranscription, target: Target): TokenUsage => ({
  ...target.capability.estimateWorstCase(toCall(parsed, target)),
  audioMillis: getMaxMillis(parsed)
})

const toCall = (
  { audio, isVerbose, parameters, providerOptions, request, ...parsed }: ParsedTranscription,
  { candidate: { endpoint }, credential }: Target
): TranscriptionCall => {
  const { language, temperature, timestamp_granularities: granularities = [] } = request
  const lacks = (name: string) => includesParameter(endpoint.supportedParameters, name) === false
  return {
    model: endpoint.upstreamModel,
    audio,
    maxMillis: parsed.length.maxMillis,
    ...(language === undefined || lacks("language") ? undefined : { language }),
    ...(temperature === undefined || lacks("temperature") ? undefined : { temperature }),
    isVerbose,
    granularities,
    parameters: {
      ...selectSupported(parameters, endpoint.supportedParameters),
      ...selectProviderOptions(providerOptions, endpoint.provider)
    },
    ...(credential === undefined ? undefined : { credential })
  }
}

const toSuccess = (
  parsed: ParsedTranscription,
  target: Target,
  reply: TranscriptionReply
): AttemptSuccess<TranscriptionReply> => {
  const { cost, model, seconds, usage } = reply
  const heardMillis = seconds === undefined ? undefined : Math.ceil(seconds * 1_000)
  const hasTokens = isValidUsage(usage)
  const isReported = heardMillis !== undefined || parsed.length.isKnown || hasTokens
  const millis =
    heardMillis ??
    (parsed.length.isKnown || sellsSeconds(target) ? parsed.length.millis : undefined)
  return {
    value: reply,
    usage: {
      ...(hasTokens ? usage : sellsSeconds(target) ? noTokens : findTokens(parsed, target)),
      // A provider that heard more than there can be is not paid for it.
      ...(millis === undefined
        ? undefined
        : { audioMillis: Math.min(millis, getMaxMillis(parsed)) })
    },
    ...(isReported && (hasTokens || sellsSeconds(target)) ? undefined : { isEstimated: true }),
    ...(cost === undefined ? undefined : { cost }),
    ...(model === undefined ? undefined : { model })
  }
}

const noTokens: TokenUsage = { inputTokens: 0, outputTokens: 0 }

const sellsSeconds = ({ candidate }: Target): boolean => candidate.price.approximate.second > 0

/** What was used where the provider tells nothing. */
const estimateUsage = (parsed: ParsedTranscription, target: Target): TokenUsage => ({
  ...findTokens(parsed, target),
  audioMillis: parsed.length.millis
})

/** A defect in the provider's estimate must not cost the caller a transcript that exists. */
const findTokens = (parsed: ParsedTranscription, target: Target): TokenUsage => {
  const { maxMillis, millis } = parsed.length
  try {
    const worst = target.capability.estimateWorstCase(toCall(parsed, target))
    const share = maxMillis === 0 ? 1 : millis / maxMillis
    return {
      ...noTokens,
      inputTokens: Math.ceil(worst.inputTokens * share),
      outputTokens: Math.ceil(worst.outputTokens * share)
    }
  } catch (defect) {
    if (defect instanceof UpstreamDefect) return noTokens
    throw defect
  }
}
