/** An error as the response of an operation, or in process. */
import { shorten } from "../../values/validation/text.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { missingKeyMessage } from "./callerErrorFacts.ts"
import type { EnvelopeName, ErrorFacts } from "./ErrorFacts.ts"
import { findErrorFacts, type ReportedError } from "./errorTable.ts"
import type { ErrorResponse, ErrorStatus } from "./ErrorResponse.ts"
import {
  toInternChatEnvelope,
  toInternEnvelope,
  toMessagesEnvelope,
  toOpenRouterEnvelope
} from "./errorEnvelopes.ts"

/** How the errors of an operation differ from those in process. */
export interface ErrorRules {
  /** Default: `openrouter`. */
  readonly envelope?: EnvelopeName
  /** The statuses that the operation declares; default: any. */
  readonly statuses?: ReadonlyArray<number>
  /** Replaces a 503 that is not declared; default: 500. */
  readonly unavailableStatus?: ErrorStatus
  /** Every problem with a key gets the message for a missing key. */
  readonly hidesKeyProblems?: boolean
  /** The operation runs models: OpenRouter answers a wrong content type with 400 there. */
  readonly runsModel?: boolean
}

export const toErrorResponse = (error: ReportedError, rules: ErrorRules = {}): ErrorResponse => {
  const { envelope = "openrouter", hidesKeyProblems = false, runsModel = false } = rules
  const reported = runsModel && error._tag === "NotJson" ? invalidContentType : error
  const common = findErrorFacts(reported._tag, reported)
  const facts: ErrorFacts = { ...common, ...common[envelope] }
  const status = restrictStatus(facts, rules)
  return envelopes[envelope]({
    ...facts,
    ...shortenFacts(facts),
    status,
    ...(hidesKeyProblems && status === 401 ? { message: missingKeyMessage } : undefined)
  })
}

/** Callers choose names, fields and values of any length, which errors repeat. */
const shortenFacts = ({ availability, message, path }: ErrorFacts): Partial<ErrorFacts> => ({
  message: shorten(message, maxMessageCharacters),
  ...(availability?.models === undefined
    ? undefined
    : {
        availability: {
          ...availability,
          models: availability.models.slice(0, maxModels).map((model) => shorten(model))
        }
      }),
  ...(path === undefined
    ? undefined
    : { path: path.map((key) => (typeof key === "string" ? shorten(key) : key)) })
})

/** Longer than any message of our own; a provider's message is shortened where it is read. */
const maxMessageCharacters = 4_000
/** A request may name a hundred; as many are recorded. */
const maxModels = 64

const envelopes: Readonly<Record<EnvelopeName, (facts: ErrorFacts) => ErrorResponse>> = {
  openrouter: toOpenRouterEnvelope,
  intern: toInternEnvelope,
  internChat: toInternChatEnvelope,
  messages: toMessagesEnvelope
}

const invalidContentType = new InvalidRequest({
  path: [],
  problem: "the content type must be application/json"
})

const restrictStatus = (
  { isAlwaysDeclared = false, status }: ErrorFacts,
  { statuses, unavailableStatus = 500 }: ErrorRules
): ErrorStatus => {
  if (isAlwaysDeclared || statuses === undefined || statuses.includes(status)) return status
  return status === 503 ? unavailableStatus : 500
}
