/** Checks the values that an upstream returns, as far as the core relies on their shape. */
import * as Stream from "effect/Stream"
import { isObject } from "../../values/json/guards.ts"

type Check = (value: unknown) => boolean

const isOptional =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value)

const isText: Check = (value) => typeof value === "string"
const isNumber: Check = (value) => typeof value === "number"
const isBigInt: Check = (value) => typeof value === "bigint"
const isAmount: Check = (value) => typeof value === "bigint" && value >= 0n
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0
const isQuantity: Check = (value) => Number.isFinite(value) && Number(value) >= 0

/** Every property named in `checks` must pass. */
const hasShape = (checks: Readonly<Record<string, Check>>): Check => {
  const names = Object.keys(checks)
  const tests = Object.values(checks)
  // Loops by index: it runs for every event of a stream, and an iterator would be garbage.
  return (value) => {
    if (!isObject(value)) return false
    for (let at = 0; at < names.length; at++) if (!tests[at]!(value[names[at]!])) return false
    return true
  }
}

const isListOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check)

export const isTokenUsage = hasShape({
  inputTokens: isCount,
  outputTokens: isCount,
  requests: isOptional(isCount),
  images: isOptional(isCount),
  characters: isOptional(isCount),
  audioMillis: isOptional(isCount)
})

export const isVideoUsage = hasShape({
  videos: isQuantity,
  seconds: isOptional(isQuantity),
  resolution: isOptional(isText)
})

const servingInfo = { systemFingerprint: isOptional(isText), serviceTier: isOptional(isText) }

const metadata = {
  ...servingInfo,
  cost: isOptional(isAmount),
  id: isOptional(isText),
  model: isOptional(isText)
}

const isEnd = hasShape({
  reason: (value) => value === null || isText(value),
  nativeReason: isOptional(isText)
})

const isPart = hasShape({ type: isText })

const isParts = isListOf(isPart)

/** The parts of an answer with a message of its own are parsed on first access, so this check does not touch them. */
const isChoice: Check = (value) => {
  if (!isUnreadChoice(value)) return false
  const { answer, native } = value
  return native === undefined ? isParts(answer["parts"]) : isObject(native)
}

interface UnreadChoice {
  readonly answer: Readonly<Record<string, unknown>>
  readonly native?: unknown
}

const isUnreadChoice = (value: unknown): value is UnreadChoice =>
  isObject(value) && isObject(value["answer"]) && isEnd(value["answer"]["end"])

const isReplyMetadata = hasShape({ ...metadata, native: isOptional(isObject) })

const areUnreadChoices = isListOf(isUnreadChoice)
const areChoices = isListOf(isChoice)

/** So are the parts of a reply that its caller gets as it is. */
export const isChatReply: Check = (value) => {
  if (!isObject(value) || !isReplyMetadata(value)) return false
  const { choices, native } = value
  return native === undefined ? areChoices(choices) : areUnreadChoices(choices)
}

const isDeltaEvent = hasShape({
  ...servingInfo,
  choices: isListOf(
    hasShape({
      events: isParts,
      end: isOptional(isEnd),
      native: isOptional(isObject)
    })
  ),
  native: isOptional(isListOf(isObject))
})
const isEndEvent = hasShape(metadata)

const isChatEvent: Check = (value) => {
  if (!isObject(value)) return false
  return value["type"] === "delta"
    ? isDeltaEvent(value)
    : value["type"] === "end" && isEndEvent(value)
}

export const isChatEvents = (events: ReadonlyArray<unknown>): boolean => events.every(isChatEvent)

/** `checkVectors` checks the numbers. */
export const isEmbeddingReply = hasShape({
  ...metadata,
  vectors: isListOf(
    hasShape({ index: isNumber, vector: (value) => isText(value) || Array.isArray(value) })
  )
})

/** `rankResults` checks the numbers. */
export const isRerankReply = hasShape({
  ...metadata,
  searchUnits: isOptional(isQuantity),
  results: isListOf(hasShape({ index: isNumber, score: isNumber }))
})

const isAudioEvent = hasShape({
  bytes: (value) => value instanceof Uint8Array && value.length > 0
})
const isSpeechEnd = hasShape({ ...metadata, usage: isOptional(isTokenUsage) })

export const isSpeechEvents = (events: ReadonlyArray<unknown>): boolean =>
  events.every(
    (event) =>
      isObject(event) &&
      (event["type"] === "audio"
        ? isAudioEvent(event)
        : event["type"] === "end" && isSpeechEnd(event))
  )

const times = { start: isQuantity, end: isQuantity }

export const isTranscriptionReply = hasShape({
  ...metadata,
  text: isText,
  language: isOptional(isText),
  seconds: isOptional(isQuantity),
  confidence: isOptional(isNumber),
  usage: isOptional(isTokenUsage),
  segments: isOptional(isListOf(hasShape({ ...times, id: isCount, text: isText }))),
  words: isOptional(isListOf(hasShape({ ...times, word: isText })))
})

/** `checkImages` checks the bytes. */
export const isImageReply = hasShape({
  ...metadata,
  usage: isOptional(isTokenUsage),
  quality: isOptional(isText),
  images: isListOf(hasShape({ base64: isText, mediaType: isOptional(isText) }))
})

const isVerdict = hasShape({ weights: isListOf(isNumber) })

const areVerdicts = (verdicts: ReadonlyMap<unknown, unknown>): boolean => {
  for (const verdict of verdicts.values()) if (!isVerdict(verdict)) return false
  return true
}

/** `checkReply` checks its numbers. */
export const isDecisionReply = hasShape({
  cost: isOptional(isBigInt),
  id: isOptional(isText),
  serviceTier: isOptional(isText),
  model: isOptional(isText),
  verdicts: (value) => value instanceof Map && areVerdicts(value),
  usage: hasShape({ inputTokens: isNumber, outputTokens: isNumber })
})

export const isVideoReport = hasShape({ status: isText })

export const isVideoSubmission = hasShape({ upstreamId: isText, report: isVideoReport })

export const isVideoContent = hasShape({ contentType: isText, bytes: Stream.isStream })
