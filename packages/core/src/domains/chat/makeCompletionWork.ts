/** Runs a chat whose answer is returned as a whole. */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type { HedgingTraits, RouteWork } from "../../routing/RouteWork.ts"
import { Settings, type SettingsShape } from "../../instance/Settings.ts"
import type {
  ChatCapability,
  ChatChoice,
  ChatReply
} from "../../engine/upstreams/ChatCapability.ts"
import type { ServerCalls } from "../../values/usage/ModelUsage.ts"
import { findCitingPart, sumCalls } from "../../conversation/serverTools/readsByItself.ts"
import { measureChoices } from "./estimateUsage.ts"
import { isRepeatable } from "./isRepeatable.ts"
import { checkChatReply } from "./checkChatReply.ts"
import { readSayable } from "./findUnsayable.ts"
import { makeCostEstimates } from "./makeCostEstimates.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"
import { toChatCall } from "./toChatCall.ts"
import { toServed } from "./toServed.ts"
import * as Step from "../../values/Step.ts"

/** `settings` come from `extendTimeouts`. */
export const makeCompletionWork = (
  parsed: ParsedChat,
  settings: SettingsShape
): RouteWork<ChatCapability, ChatReply, HttpClient.HttpClient> => ({
  ...makeCostEstimates(parsed),
  hedging: isRepeatable(parsed) ? completionHedging : undefined,
  // The reservation outlives the longest request.
  leaseMillis: settings.chatTimeoutMillis + settings.reservationLeaseMillis,
  run: (target, _spent, _commit, onChange) => {
    const answering = target.capability.complete(toChatCall(parsed, target, { onChange }))
    return Step.flatMap(Step.provideService(answering, Settings, settings), (reply) => {
      const sayable = readSayable(reply, parsed.native.dialect)
      return Step.map(Effect.fromResult(checkChatReply(reply, sayable)), (reply) => {
        const omitted = sayable?.listOmitted()
        if (omitted !== undefined) onChange(omitted)
        return toServed(parsed, target, reply, measureChoices(reply.choices), {
          usage: reply.usage,
          serverCalls: findServerCalls(reply)
        })
      })
    })
  }
})

/** A reply in the API of its caller has counted what it cites, and so has one with a message of its own. */
const findServerCalls = ({ choices, native, serverCalls }: ChatReply): ServerCalls | undefined =>
  serverCalls ?? (native === undefined ? sumCalls(choices, findChoiceCalls) : undefined)

const findChoiceCalls = ({ answer, native }: ChatChoice): ServerCalls | undefined =>
  native === undefined ? findCitingPart(answer.parts) : undefined

const completionHedging: HedgingTraits = { kind: "chat", isDefault: false }

/** The provider sends nothing until the last token is generated. */
export const extendTimeouts = (settings: SettingsShape): SettingsShape => ({
  ...settings,
  headersTimeoutMillis: Math.max(settings.headersTimeoutMillis, settings.chatTimeoutMillis),
  bodyTimeoutMillis: Math.max(settings.bodyTimeoutMillis, settings.chatTimeoutMillis)
})
