/** Selects the parameters of a request that an endpoint supports, under the names it supports. */
import * as Predicate from "effect/Predicate"
import { findOutputCapName, outputCapNames } from "../../dialects/chat/outputCap.ts"
import {
  includesParameter,
  type SupportedParameters
} from "../../engine/catalog/endpoint/SupportedParameters.ts"
import type { Tier } from "../../engine/catalog/endpoint/Tier.ts"
import type { ChatCapability } from "../../engine/upstreams/ChatCapability.ts"
import type { OutputCap, RouteTarget } from "../../routing/RouteWork.ts"
import { setOwn } from "../../values/ownFields.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"

/** The same object where the endpoint is sent them as the caller wrote them. */
export const toUpstreamParameters = (
  { maxOutputTokens, parameters }: Pick<ParsedChat, "maxOutputTokens" | "parameters">,
  supported: SupportedParameters,
  tier: Tier = "default"
): Readonly<Record<string, unknown>> => {
  if (supported === undefined && tier === "default" && isCapWritten(parameters, maxOutputTokens)) {
    return parameters
  }
  const sent: Record<string, unknown> = {}
  for (const name of Object.keys(parameters)) {
    if (!outputCapNames.includes(name) && includesParameter(supported, name) !== false)
      setOwn(sent, name, parameters[name])
  }
  if (maxOutputTokens !== undefined) {
    for (const name of listOutputCapNames(parameters, supported)) sent[name] = maxOutputTokens
  }
  // The endpoint sells this tier only, so it replaces the requested tier.
  if (tier !== "default" && (supported?.has("service_tier") ?? true)) sent["service_tier"] = tier
  return sent
}

/** Whether the cap stands under the names that the caller wrote: of two values the smaller one applies. */
const isCapWritten = (
  parameters: ParsedChat["parameters"],
  maxOutputTokens: number | undefined
): boolean => {
  let isWritten = false
  for (const name of outputCapNames) {
    if (!Object.hasOwn(parameters, name)) continue
    if (parameters[name] !== maxOutputTokens) return false
    isWritten = true
  }
  return isWritten === (maxOutputTokens !== undefined)
}

/** An endpoint without a list of parameters gets the names that the caller wrote. */
const listOutputCapNames = (
  parameters: ParsedChat["parameters"],
  supported: SupportedParameters
): ReadonlyArray<string> => {
  const written = outputCapNames.filter((name) => Object.hasOwn(parameters, name))
  if (supported === undefined && written.length > 1) return written
  const name = findOutputCapName(parameters, supported)
  return name === undefined ? [] : [name]
}

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
