/** How long the answer of a chat can get at one endpoint, and what caps it there. */
import * as Predicate from "effect/Predicate"
import { findOutputCapName } from "../../dialects/chat/outputCap.ts"
import type { RouteTarget, OutputCap } from "../../routing/RouteWork.ts"
import type { ChatCapability } from "../../engine/upstreams/ChatCapability.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"
import { toUpstreamParameters } from "./toUpstreamParameters.ts"

type Target = RouteTarget<ChatCapability>
type Endpoint = Target["candidate"]["endpoint"]
type Parameters = ParsedChat["parameters"]

/** A cap of the caller applies only where it is sent to the endpoint. */
export const findMaxOutputTokens = (
  { maxOutputTokens, parameters }: ParsedChat,
  { contextLength = Infinity, maxCompletionTokens = Infinity, supportedParameters }: Endpoint,
  sent: Parameters
): number | undefined => {
  const isSent =
    maxOutputTokens !== undefined &&
    findOutputCapName(parameters, supportedParameters) !== undefined
  const cap = isSent ? widenCap(maxOutputTokens, sent) : Infinity
  const most = Math.min(cap, maxCompletionTokens, contextLength)
  return most === Infinity ? undefined : most
}

/** A provider may read another name of the cap, and may reason beyond it. */
const widenCap = (cap: number, sent: Parameters): number => {
  const most = Math.max(
    cap,
    toNumber(sent["max_output_tokens"]),
    toNumber(sent["max_new_tokens"]),
    toNumber(sent["min_tokens"])
  )
  return most + getReasoningTokens(sent)
}

const getReasoningTokens = ({ reasoning, thinking }: Parameters): number =>
  Math.max(
    toNumber(getField(reasoning, "max_tokens")),
    toNumber(getField(thinking, "budget_tokens"))
  )

const getField = (value: unknown, name: string): unknown =>
  Predicate.isObject(value) ? value[name] : undefined

const toNumber = (value: unknown): number => (typeof value === "number" ? value : 0)

/** Undefined when the endpoint supports no parameter that caps the answer. */
export const findOutputCap = (
  { maxOutputTokens, parameters }: ParsedChat,
  { candidate: { endpoint } }: Target
): OutputCap | undefined => {
  const name = findOutputCapName(parameters, endpoint.supportedParameters)
  if (name === undefined) return undefined
  const sent = toUpstreamParameters({ parameters }, endpoint.supportedParameters)
  return {
    name,
    isSent: maxOutputTokens !== undefined,
    answers: Math.max(toNumber(sent["n"]), toNumber(sent["best_of"]), 1),
    overheadTokens: getReasoningTokens(sent)
  }
}
