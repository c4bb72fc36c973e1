/** Truncates the texts and lists of a record that callers and providers chose, to bound its size. */
import type { Trace } from "../../../values/Trace.ts"
import type { Generation, GenerationAttempt, GenerationReason } from "./Generation.ts"

/** Characters of one text; a truncated one ends in an ellipsis. Session and user are shorter anyway. */
export const maxTextCharacters = 512

/** Characters of a trace as JSON; entries beyond them are dropped. */
export const maxTraceCharacters = 8_192

/** Characters of the preferences as JSON; those beyond them are named in `omittedPreferences`. */
export const maxPreferencesCharacters = 8_192

/** The number of requested models in a record; further ones are dropped. */
export const maxModels = 64

/** The number of reasons in a record; further ones are dropped: a request may name every model of the catalog. */
export const maxReasons = 256

/** Truncates a generation to the sizes that stores keep; a small one is returned unchanged. */
export const truncateGeneration = (generation: Generation): Generation =>
  isSmall(generation)
    ? generation
    : {
        ...generation,
        requestedModel: truncateText(generation.requestedModel),
        ...truncateModels(generation),
        ...truncatePreferences(generation),
        ...Object.fromEntries(
          textFields.flatMap((name) => {
            const text = generation[name]
            return text === undefined ? [] : [[name, truncateText(text)]]
          })
        ),
        attempts: generation.attempts.map(truncateAttempt),
        rejected: generation.rejected.slice(0, maxReasons).map(truncateReason),
        demoted: generation.demoted.slice(0, maxReasons).map(truncateReason),
        ...(generation.trace === undefined ? undefined : { trace: truncateTrace(generation.trace) })
      }

/** Whether it has no lists but attempts, and no long text. */
const isSmall = (generation: Generation): boolean => {
  const { attempts, demoted, models, preferences, rejected, requestedModel, trace } = generation
  if (trace !== undefined || rejected.length > 0 || demoted.length > 0) return false
  if (models !== undefined || preferences !== undefined) return false
  if (requestedModel.length > maxTextCharacters) return false
  return (
    textFields.every((name) => (generation[name]?.length ?? 0) <= maxTextCharacters) &&
    attempts.every(hasNoDropped)
  )
}

const hasNoDropped = ({ dropped }: GenerationAttempt): boolean => dropped === undefined

const truncateModels = ({ models, resolvedModels }: Generation) =>
  models === undefined
    ? undefined
    : {
        models: models.slice(0, maxModels).map(truncateText),
        ...(resolvedModels === undefined
          ? undefined
          : { resolvedModels: resolvedModels.slice(0, maxModels).map(truncateText) })
      }

/** A preference is kept whole or not at all, because a part of a list is another preference. */
const truncatePreferences = ({ omittedPreferences, preferences }: Generation) => {
  if (preferences === undefined) return undefined
  let remaining = maxPreferencesCharacters
  const omitted = [...(omittedPreferences ?? [])]
  const kept = Object.entries(preferences).filter((entry) => {
    const size = JSON.stringify(entry).length
    const fits = size <= remaining
    if (fits) remaining -= size
    else omitted.push(entry[0])
    return fits
  })
  return {
    preferences: Object.fromEntries(kept),
    ...(omitted.length === 0 ? undefined : { omittedPreferences: omitted })
  }
}

const textFields = [
  "model",
  "upstreamModel",
  "finishReason",
  "nativeFinishReason",
  "serviceTier",
  "upstreamId"
] as const

/** The number of dropped parameters in an attempt; further ones are dropped: callers choose their names. */
const maxDroppedParameters = 64

const truncateAttempt = (attempt: GenerationAttempt): GenerationAttempt =>
  attempt.dropped === undefined
    ? attempt
    : { ...attempt, dropped: attempt.dropped.slice(0, maxDroppedParameters).map(truncateText) }

export const truncateReason = (reason: GenerationReason): GenerationReason => ({
  ...reason,
  wanted: truncateText(reason.wanted)
})

export const truncateText = (text: string): string =>
  text.length <= maxTextCharacters
    ? text
    : // Copied, because in V8 a slice keeps the whole text alive.
      `${Array.from(text.slice(0, maxTextCharacters - 1))
        .join("")
        .toWellFormed()}…`

export const truncateTrace = (trace: Trace): Trace => {
  let remaining = maxTraceCharacters
  const entries = Object.entries(trace).flatMap(([key, value]) => {
    const entry = [key, typeof value === "string" ? truncateText(value) : value] as const
    const size = JSON.stringify(entry).length
    if (size > remaining) return []
    remaining -= size
    return [entry]
  })
  // The cast holds because every value keeps its type.
  return Object.fromEntries(entries) as Trace
}
