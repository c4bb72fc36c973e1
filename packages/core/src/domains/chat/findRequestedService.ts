/**
 * Finds the conditions of a chat that may have a price of their own: a service tier, a speed, a place, and models of
 * tools.
 */
import type { Dialect } from "../../conversation/Dialect.ts"
import type { RequestedService } from "../../routing/RouteWork.ts"
import { omitUndefined } from "../../values/ownFields.ts"
import type { ServedConditions } from "../../values/usage/ModelUsage.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"

/** Speed and place are fields of Anthropic's API, and no other provider is sent them. */
export const findRequestedConditions = ({
  native,
  parameters
}: Pick<ParsedChat, "native" | "parameters">): ServedConditions | undefined => {
  const { inference_geo, speed } = native.dialect === "messages" ? native.body : noFields
  const isPlain =
    typeof parameters["service_tier"] !== "string" &&
    typeof speed !== "string" &&
    typeof inference_geo !== "string"
  if (isPlain) return undefined
  const conditions: { -readonly [K in keyof ServedConditions]: ServedConditions[K] } = {}
  const { service_tier } = parameters
  if (typeof service_tier === "string") conditions.service_tier = service_tier
  if (typeof speed === "string") conditions.speed = speed
  if (typeof inference_geo === "string") conditions.inference_geo = inference_geo
  return conditions
}

/** `dialect` is the dialect in which the request is sent. */
export const findRequestedService = (
  parsed: Pick<ParsedChat, "native" | "parameters" | "toolModels">,
  dialect: Dialect = "chat"
): RequestedService | undefined => {
  const conditions = findRequestedConditions(parsed)
  const models = parsed.toolModels?.[dialect]?.map(({ name }) => name)
  return conditions === undefined && models === undefined
    ? undefined
    : omitUndefined({ conditions, models })
}

const noFields: Readonly<Record<string, unknown>> = {}
