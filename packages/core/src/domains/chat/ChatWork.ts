/** What every chat does at a target, streamed or not: bounds its cost there. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import type { ChatCapability } from "../../engine/upstreams/ChatCapability.ts"
import {
  type UpstreamFailure,
  catchThrown
} from "../../engine/upstreams/failures/UpstreamFailure.ts"
import { exceedsContext } from "../../routing/plan/rules/capabilityRules.ts"
import type {
  ChangeReporter,
  OutputCap,
  RequestedService,
  RouteTarget
} from "../../routing/RouteWork.ts"
import { boundReading, listServerTools } from "../../routing/serverTools/boundServerTools.ts"
import { isObject } from "../../values/json/guards.ts"
import { loadOnce } from "../../values/layerOnDemand.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import { estimateUnreportedUsage, estimateWorstCase } from "./estimateUsage.ts"
import { findOutputCap } from "./toUpstreamParameters.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"
import { findTargetService } from "./toServed.ts"

type Target = RouteTarget<ChatCapability>

export abstract class ChatWork {
  readonly parsed: ParsedChat

  constructor(parsed: ParsedChat) {
    this.parsed = parsed
  }

  prepareWorstCase(): Effect.Effect<void> {
    return this.parsed.size.measure()
  }

  getWorstCase(target: Target): TokenUsage {
    return estimateWorstCase(this.parsed, target)
  }

  getReadingBound({ candidate }: Target): number {
    return boundReading(listServerTools(this.parsed.serverTools, candidate), candidate.endpoint)
  }

  getOutputCap(target: Target): OutputCap | undefined {
    return findOutputCap(this.parsed, target)
  }

  getRequestedService(target: Target): RequestedService | undefined {
    return findTargetService(this.parsed, target)
  }

  getUnreportedUsage(target: Target): TokenUsage {
    return estimateUnreportedUsage(this.parsed, target)
  }

  /** Runs `answer` with the chat as the target has room for it. */
  protected withRoom<A, R>(
    { candidate: { endpoint } }: Target,
    onChange: ChangeReporter,
    answer: (parsed: ParsedChat) => Effect.Effect<A, UpstreamFailure, R>
  ): Effect.Effect<A, UpstreamFailure, R> {
    const { parsed } = this
    const { compression, inputTokens, maxOutputTokens = 0 } = parsed
    if (!exceedsContext(endpoint, { inputTokens, outputTokens: maxOutputTokens })) {
      return answer(parsed)
    }
    return Effect.flatMap(loadCompression(), ({ compressChat }) => {
      const compressed = compressChat(parsed, endpoint)
      if (Result.isFailure(compressed)) return Effect.fail(compressed.failure)
      const { leftOut, parsed: shortened, stage } = compressed.success
      return catchThrown(() => {
        onChange(leftOut, compression === undefined ? undefined : "asked", stage)
        return answer(shortened)
      })
    })
  }
}

const loadCompression = loadOnce(() => import("./compressChat.ts"))

/** A stored or background answer would be there twice, and so would the effects of tools that the provider runs. */
export const isRepeatable = ({ native, parameters, serverTools }: ParsedChat): boolean =>
  native.neededAt === undefined &&
  serverTools?.chat?.some(({ parameter }) => parameter === "plugins") !== true &&
  (native.dialect === "chat" || isRepeatableNatively(native.body)) &&
  parameters["store"] !== true &&
  parameters["background"] !== true &&
  parameters["web_search_options"] === undefined &&
  !isListOf(parameters["tools"], isRunByProvider)

const isRepeatableNatively = (body: Readonly<Record<string, unknown>>): boolean =>
  body["store"] !== true && !isListOf(body["tools"], isNativelyRunByProvider)

const isListOf = (value: unknown, isWanted: (item: unknown) => boolean): boolean =>
  Array.isArray(value) && value.some(isWanted)

const isRunByProvider = (tool: unknown): boolean =>
  isObject(tool) && tool["type"] !== "function" && tool["type"] !== "custom"

/** A tool of the Messages API without a type is one of the caller's own. */
const isNativelyRunByProvider = (tool: unknown): boolean =>
  isObject(tool) && tool["type"] !== undefined && isRunByProvider(tool)
