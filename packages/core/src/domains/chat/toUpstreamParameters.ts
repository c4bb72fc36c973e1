/** Selects the parameters of a request that an endpoint supports, under the names it supports. */
import {
  type SupportedParameters,
  includesParameter
} from "../../engine/catalog/endpoint/SupportedParameters.ts"
import type { Tier } from "../../engine/catalog/endpoint/Tier.ts"
import { findOutputCapName, outputCapNames } from "../../dialects/chat/outputCap.ts"
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
