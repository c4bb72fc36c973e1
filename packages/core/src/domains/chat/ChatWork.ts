/** What every chat does at a target, streamed or not: bounds its cost there. */
import type * as Effect from "effect/Effect"
import { boundReading, listServerTools } from "../../routing/serverTools/boundServerTools.ts"
import type { OutputCap, RequestedService, RouteTarget } from "../../routing/RouteWork.ts"
import type { ChatCapability } from "../../engine/upstreams/ChatCapability.ts"
import type { TokenUsage } from "../../values/usage/TokenUsage.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"
import { estimateUnreportedUsage, estimateWorstCase } from "./estimateUsage.ts"
import { findOutputCap } from "./outputBounds.ts"
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
