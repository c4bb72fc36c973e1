/** All rows of the table of quirks, and what a provider refuses by them. */
import type { Dialect } from "../Dialect.ts"
import type { RecordedRequest } from "../RecordedRequest.ts"
import { chatCallPieces } from "./chatCallPieces.ts"
import { chatCalls } from "./chatCalls.ts"
import { chatEnds } from "./chatEnds.ts"
import { chatReasoning } from "./chatReasoning.ts"
import { chatMessageRefusals } from "./chatMessageRefusals.ts"
import { chatParameterRefusals } from "./chatParameterRefusals.ts"
import { chatThoughtRefusals } from "./chatThoughtRefusals.ts"
import { chatToolRefusals } from "./chatToolRefusals.ts"
import { geminiRefusals } from "./geminiRefusals.ts"
import { geminiSends } from "./geminiSends.ts"
import { messagesConversationRefusals } from "./messagesConversationRefusals.ts"
import { messagesParameterRefusals } from "./messagesParameterRefusals.ts"
import { messagesSends } from "./messagesSends.ts"
import { responsesRefusals } from "./responsesRefusals.ts"
import { responsesSends } from "./responsesSends.ts"
import { holds } from "./Condition.ts"
import type { Quirk, QuirkDialect, RefusesQuirk, SendsQuirk } from "./Quirk.ts"
import type { QuirkProvider } from "./quirkProviders.ts"

const sends: ReadonlyArray<SendsQuirk> = [
  ...chatReasoning,
  ...chatCalls,
  ...chatCallPieces,
  ...chatEnds,
  ...messagesSends,
  ...responsesSends,
  ...geminiSends
]

const refuses: ReadonlyArray<RefusesQuirk> = [
  ...chatThoughtRefusals,
  ...chatMessageRefusals,
  ...chatToolRefusals,
  ...chatParameterRefusals,
  ...messagesConversationRefusals,
  ...messagesParameterRefusals,
  ...responsesRefusals,
  ...geminiRefusals
]

/** What the providers that Signalbox has presets for, and some servers, are known to send and to refuse. */
export const quirks: ReadonlyArray<Quirk> = [...sends, ...refuses]

/** The provider whose rules count for an unnamed server, by its API; servers of the chat API differ too much. */
const owners: Readonly<Partial<Record<Dialect, QuirkProvider>>> = {
  gemini: "gemini",
  messages: "anthropic",
  responses: "openai"
}

/** The row by which a server refuses a request, if any. */
export const findRefusal = (
  provider: QuirkProvider | undefined,
  dialect: Dialect | undefined,
  { body, model }: Pick<RecordedRequest, "body" | "model">
): RefusesQuirk | undefined => {
  const owner = provider ?? (dialect === undefined ? undefined : owners[dialect])
  return owner === undefined
    ? undefined
    : refuses.find(
        (row) =>
          row.dialect === (dialect satisfies QuirkDialect | Dialect | undefined) &&
          row.providers.includes(owner) &&
          (row.models === undefined || (model !== undefined && row.models.test(model))) &&
          holds(row.when, body)
      )
}
