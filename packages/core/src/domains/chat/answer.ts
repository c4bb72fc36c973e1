/** Answers conversations in process, with the checks of the HTTP API. */
import { identity } from "effect/Function"
import type { Caller } from "../../tenants/auth/Caller.ts"
import type { CallerConfig } from "../../tenants/auth/CallerConfig.ts"
import type { Conversation } from "../../conversation/Conversation.ts"
import type { RouteObserver } from "../../routing/RouteQuery.ts"
import type { SettingsShape } from "../../instance/Settings.ts"
import { loadOnce } from "../../values/layerOnDemand.ts"
import type { Presets } from "../presets/Presets.ts"
import type { ChatAnswer } from "./ChatAnswer.ts"
import { type ChatServices, makeAnswersInProcess } from "./makeAnswersInProcess.ts"
import * as Step from "../../values/Step.ts"

/**
 * The fields of a chat request that a conversation cannot hold: the model, its fallbacks (`models`), routing
 * preferences (`provider`), labels, parameters, and a provider's own fields in `extra`. The conversation takes
 * precedence.
 */
export type AnswerFields = Readonly<Record<string, unknown>>

/** Functions that begin when they are called. What they need is loaded with the first call. */
export const makeAnswer = (services: ChatServices) => {
  const answers = makeAnswersInProcess(services)
  return {
    complete: (
      conversation: Conversation,
      fields: AnswerFields,
      caller?: CallerConfig,
      observer?: RouteObserver
    ) => answers.complete(conversation, { caller, translation: translate(fields), observer }),
    stream: (
      conversation: Conversation,
      fields: AnswerFields,
      caller?: CallerConfig,
      observer?: RouteObserver
    ) => answers.stream(conversation, { caller, translation: translate(fields), observer })
  }
}

const translate = (fields: AnswerFields) =>
  Step.map(loadTranslation(), ({ parseChatWithPreset, toPieces }) => ({
    parse: (
      conversation: Conversation,
      settings: SettingsShape,
      presets: Presets["Service"],
      caller: Caller
    ) => parseChatWithPreset(conversation, fields, settings, { caller, presets }),
    write: identity<ChatAnswer>,
    writeStream: toPieces
  }))

const loadTranslation = loadOnce(() => import("./answerTranslation.ts"))
