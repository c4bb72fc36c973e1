/** Makes the body of a request again from its record and its kept content. Pure. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import type { ContentDocument } from "../../domains/content/KeptContent.ts"
import type { Generation } from "../../engine/observability/generations/Generation.ts"
import { redactionMark } from "../../engine/secrets/Redactor.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import type { ReplayRequest } from "./ReplayResponse.ts"

export interface ReplayBody {
  readonly operation: "chat" | "decisions"
  /** In the form of the HTTP API. */
  readonly body: Readonly<Record<string, unknown>>
  readonly models: ReadonlyArray<string>
  readonly omittedFields: ReadonlyArray<string>
  readonly isRedacted: boolean
}

/**
 * Content has the messages of any chat in the form of the chat API, so a request of another API is repeated by that one.
 * What said whose request it was is left out: the replay is its operator's, and must not join the session of a user.
 */
export const toReplayBody = (
  generation: Generation,
  { input }: ContentDocument,
  { model, provider }: ReplayRequest
): Result.Result<ReplayBody, InvalidRequest> => {
  const { models: recorded, operation, omittedPreferences = [], preferences } = generation
  if (operation !== "chat" && operation !== "decisions") {
    return fail([], `only chats and Decisions can be replayed, not ${operation}`)
  }
  if (!Predicate.isObject(input)) return fail([], "its content was not kept as a whole")
  const text = JSON.stringify(input)
  if (omittedMedia.test(text)) {
    return fail([], "its inline media were left out of the content that is kept")
  }
  if (provider === undefined && omittedPreferences.length > 0) {
    return fail(
      ["provider"],
      `must be set, because ${omittedPreferences.join(", ")} was too long for the record`
    )
  }
  const models = model == null ? (recorded ?? [generation.requestedModel]) : [model]
  const [first, ...fallbacks] = models
  const preferred = provider === undefined ? preferences : provider
  return Result.succeed({
    operation,
    body: {
      ...input,
      model: first,
      ...(fallbacks.length === 0 ? undefined : { models: fallbacks }),
      ...(preferred == null ? undefined : { provider: preferred })
    },
    models,
    omittedFields: listOmitted(generation),
    isRedacted: text.includes(redactionMark)
  })
}

/** As `redactContent` writes them. */
const omittedMedia = /\[\d+ characters (?:of base64 )?omitted\]/

const listOmitted = ({ escalation, externalUser, session, trace }: Generation) =>
  Object.entries({ escalate: escalation, session_id: session, trace, user: externalUser }).flatMap(
    ([name, value]) => (value === undefined ? [] : [name])
  )

const fail = (path: ReadonlyArray<string>, problem: string) =>
  Result.fail(new InvalidRequest({ path, problem }))
