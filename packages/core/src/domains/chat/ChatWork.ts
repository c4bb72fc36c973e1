/** What every chat does at a target, streamed or not: bounds its cost there. */
import type * as Effect from "effect/Effect"
import type { ChatCapability } from "../../engine/upstreams/ChatCapability.ts"
import type { OutputCap, RequestedService, RouteTarget } from "../../routing/RouteWork.ts"
import { boundReading, listServerTools } from "../../routing/serverTools/boundServerTools.ts"
import { isObject } from "../../values/json/guards.ts"
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
}

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
