/** Runs a chat whose answer is returned as a whole. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type * as HttpClient from "effect/http/HttpClient"
import type {
  AttemptReports,
  AttemptSuccess,
  ChangeReporter,
  HedgingTraits,
  RouteTarget,
  RouteWork
} from "../../routing/RouteWork.ts"
import { Settings, type SettingsShape } from "../../instance/Settings.ts"
import type {
  ChatCapability,
  ChatChoice,
  ChatReply
} from "../../engine/upstreams/ChatCapability.ts"
import type { ServerCalls } from "../../values/usage/ModelUsage.ts"
import { findCitingPart, sumCalls } from "../../conversation/serverTools/readsByItself.ts"
import { ChoicesSize } from "./estimateUsage.ts"
import { ChatWork, isRepeatable } from "./ChatWork.ts"
import type { AnswerCaching } from "../../routing/cache/AnswerCaching.ts"
import { loadOnce } from "../../values/layerOnDemand.ts"
import { readSayable } from "./findUnsayable.ts"
import type { UpstreamFailure } from "../../engine/upstreams/failures/UpstreamFailure.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"
import { toChatCall } from "./toChatCall.ts"
import { checkChatReply, toServed } from "./toServed.ts"
import * as Step from "../../values/Step.ts"

type Target = RouteTarget<ChatCapability>

export const loadChatCaching = loadOnce(() => import("./chatCaching.ts"))

/** `settings` come from `extendTimeouts`. */
export class CompletionWork
  extends ChatWork
  implements RouteWork<ChatCapability, ChatReply, HttpClient.HttpClient>
{
  readonly #settings: SettingsShape

  constructor(parsed: ParsedChat, settings: SettingsShape) {
    super(parsed)
    this.#settings = settings
  }

  get hedging(): HedgingTraits | undefined {
    return isRepeatable(this.parsed) ? completionHedging : undefined
  }

  get caching(): Effect.Effect<AnswerCaching<ChatReply>> {
    return Effect.map(loadChatCaching(), ({ makeCompletionCaching }) =>
      makeCompletionCaching(this.parsed)
    )
  }

  /** The reservation outlives the longest request. */
  get leaseMillis(): number {
    return this.#settings.chatTimeoutMillis + this.#settings.reservationLeaseMillis
  }

  run(
    target: Target,
    { reportChange: onChange }: AttemptReports
  ): Effect.Effect<AttemptSuccess<ChatReply>, UpstreamFailure, HttpClient.HttpClient> {
    return this.withRoom(target, onChange, (parsed) => {
      const answering = target.capability.complete(toChatCall(parsed, target, { onChange }))
      return Step.flatMap(Step.provideService(answering, Settings, this.#settings), (reply) =>
        this.#serve(target, reply, onChange)
      )
    })
  }

  #serve(
    target: Target,
    reply: ChatReply,
    onChange: ChangeReporter
  ): Effect.Effect<AttemptSuccess<ChatReply>, UpstreamFailure> {
    const { parsed } = this
    const sayable = readSayable(reply, parsed.native.dialect)
    const checked = checkChatReply(reply, sayable)
    if (Result.isFailure(checked)) return Effect.fail(checked.failure)
    const omitted = sayable?.listOmitted()
    if (omitted !== undefined) onChange(omitted, "answer")
    const { success } = checked
    const screened = parsed.filtered?.answers?.screen(success) ?? success
    return Effect.succeed(
      toServed(parsed, target, screened, new ChoicesSize(success.choices), {
        usage: success.usage,
        serverCalls: findServerCalls(success)
      })
    )
  }
}

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
