/** Runs a chat whose answer is streamed. */
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type {
  AttemptReports,
  AttemptSuccess,
  HedgingTraits,
  RouteTarget,
  RouteWork
} from "../../../routing/RouteWork.ts"
import type { ChatCapability, ChatReply } from "../../../engine/upstreams/ChatCapability.ts"
import type { UpstreamFailure } from "../../../engine/upstreams/failures/UpstreamFailure.ts"
import { ChatWork, isRepeatable } from "../ChatWork.ts"
import type { AnswerCaching } from "../../../routing/cache/AnswerCaching.ts"
import type { CollectedPieces } from "../chatCaching.ts"
import { loadChatCaching } from "../CompletionWork.ts"
import type { ParsedChat } from "../request/parseChatRequest.ts"
import { type ChatSink, StreamAttempt, type StreamWorkOptions } from "./StreamAttempt.ts"

export class StreamWork
  extends ChatWork
  implements RouteWork<ChatCapability, ChatReply, HttpClient.HttpClient>
{
  readonly #sink: ChatSink
  readonly #options: StreamWorkOptions
  /** Declared without a field, because few streams are stored. */
  declare collected?: CollectedPieces

  constructor(parsed: ParsedChat, sink: ChatSink, options: StreamWorkOptions) {
    super(parsed)
    this.#sink = sink
    this.#options = options
  }

  get hedging(): HedgingTraits | undefined {
    return isRepeatable(this.parsed) ? streamHedging : undefined
  }

  get caching(): Effect.Effect<AnswerCaching<ChatReply>> {
    return Effect.map(loadChatCaching(), ({ makeStreamCaching }) =>
      makeStreamCaching(
        this.parsed,
        this.#sink,
        this.#options.settings.maxCachedAnswerBytes,
        (collected) => {
          this.collected = collected
        }
      )
    )
  }

  /** The reservation outlives the stream. */
  get leaseMillis(): number {
    const { settings } = this.#options
    return settings.streamTimeoutMillis + settings.reservationLeaseMillis
  }

  run(
    target: RouteTarget<ChatCapability>,
    { commit, reportChange: onChange, reportUsage: spent }: AttemptReports
  ): Effect.Effect<AttemptSuccess<ChatReply>, UpstreamFailure, HttpClient.HttpClient> {
    return this.withRoom(target, onChange, (parsed) =>
      new StreamAttempt(this, this.#sink, this.#options, parsed, target, {
        spent,
        commit,
        onChange
      }).run()
    )
  }
}

/** It ends with its first event, so little is generated twice. */
const streamHedging: HedgingTraits = { kind: "chat stream", isDefault: true }
