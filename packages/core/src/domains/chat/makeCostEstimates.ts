/** What a chat may cost at each endpoint. */
import type * as HttpClient from "effect/http/HttpClient"
import { boundReading, listServerTools } from "../../routing/serverTools/boundServerTools.ts"
import type { RouteWork } from "../../routing/RouteWork.ts"
import type { ChatCapability, ChatReply } from "../../engine/upstreams/ChatCapability.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"
import { estimateUnreportedUsage, estimateWorstCase } from "./estimateUsage.ts"
import { findOutputCap } from "./outputBounds.ts"
import { findTargetService } from "./toServed.ts"

/** Bounds the cost of a chat, streamed or not. */
export const makeCostEstimates = (
  parsed: ParsedChat
): Omit<RouteWork<ChatCapability, ChatReply, HttpClient.HttpClient>, "leaseMillis" | "run"> => ({
  prepareWorstCase: parsed.measure,
  getWorstCase: (target) => estimateWorstCase(parsed, target),
  getReadingBound: ({ candidate }) =>
    boundReading(listServerTools(parsed.serverTools, candidate), candidate.endpoint),
  getOutputCap: (target) => findOutputCap(parsed, target),
  getRequestedService: (target) => findTargetService(parsed, target),
  getUnreportedUsage: (target) => estimateUnreportedUsage(parsed, target)
})
