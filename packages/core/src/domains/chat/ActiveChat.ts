/** A chat in progress. */
import * as Exit from "effect/Exit"
import type { ChatChoice, ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import type { IoContent } from "../../engine/observability/broadcast/Sink.ts"
import type { RouteAttempt } from "../../routing/attempt/RouteAttempt.ts"
import type { ActiveRequest } from "../../routing/record/RecordedRoute.ts"
import type { RouteObserver, RouteResult } from "../../routing/RouteQuery.ts"
import type { RoutingError } from "../../routing/Routing.ts"
import type { GenerationId } from "../../values/ids/GenerationId.ts"
import { toAnswerFacts, toIoContent } from "./chatRecord.ts"
import { findApiName, type ParsedChat } from "./request/parseChatRequest.ts"

type ChatExit = Exit.Exit<RouteResult<ChatReply>, RoutingError>

/** Counts the chat in its experiment; `choices` are what the caller received, undefined when the answer is not complete. */
type Counter = (active: ActiveChat, choices: ReadonlyArray<ChatChoice> | undefined) => void

export class ActiveChat implements ActiveRequest<ChatReply> {
  readonly id: GenerationId
  readonly startedAt: number
  readonly labels: ParsedChat["request"]
  readonly requestedModel: string
  readonly experiment: ActiveRequest<ChatReply>["experiment"]
  readonly api: ActiveRequest<ChatReply>["api"]
  readonly isStreamed: boolean = false
  readonly attempts: Array<RouteAttempt> = []
  readonly listener: RouteObserver | undefined
  readonly toAnswerFacts = toAnswerFacts
  readonly #parsed: ParsedChat
  /** Undefined: it takes part in no experiment. */
  readonly #count: Counter | undefined

  constructor(
    parsed: ParsedChat,
    requestedModel: string,
    id: GenerationId,
    startedAt: number,
    listener: RouteObserver | undefined,
    experiment: ActiveRequest<ChatReply>["experiment"],
    count: Counter | undefined
  ) {
    this.id = id
    this.startedAt = startedAt
    this.labels = parsed.request
    this.requestedModel = requestedModel
    this.experiment = experiment
    this.api = findApiName(parsed)
    this.listener = listener
    this.#parsed = parsed
    this.#count = count
  }

  get preset(): string | undefined {
    return this.#parsed.preset?.id
  }

  toContent(exit: ChatExit): IoContent {
    return toIoContent(this.#parsed, Exit.isSuccess(exit) ? exit.value.value.choices : [])
  }

  onEnd(exit: ChatExit): void {
    this.count(Exit.isSuccess(exit) ? exit.value.value.choices : undefined)
  }

  count(choices: ReadonlyArray<ChatChoice> | undefined): void {
    this.#count?.(this, choices)
  }
}
