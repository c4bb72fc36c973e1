/** Converts a chat to its routing query. */
import type * as Arr from "effect/Array"
import type { Caller } from "../../../tenants/auth/Caller.ts"
import type { Requirements } from "../../../routing/Requirements.ts"
import * as Preferences from "../../../routing/Preferences.ts"
import type { RouteQuery } from "../../../routing/RouteQuery.ts"
import type { ChatCapability } from "../../../engine/upstreams/ChatCapability.ts"
import type { Upstream } from "../../../engine/upstreams/Upstream.ts"
import { findRequestedConditions } from "../findRequestedService.ts"
import type { ParsedChat } from "./parseChatRequest.ts"

export const toChatQuery = (
  caller: Caller,
  models: Arr.NonEmptyReadonlyArray<string>,
  parsed: ParsedChat
): RouteQuery<ChatCapability> => {
  const {
    ignored: ignoredParameters,
    images,
    inputTokens,
    maxOutputTokens,
    native,
    parameters,
    request,
    said,
    serverTools,
    toolModels
  } = parsed
  const conditions = findRequestedConditions(parsed)
  const prefill = said.findPrefill()
  return {
    caller,
    models,
    conversation: parsed,
    operation: "chat",
    capability: getChatCapability,
    preferences: request.provider ?? Preferences.none,
    requirements: {
      parameters: Object.keys(parameters),
      ignoredParameters,
      ...toRequirements(parameters),
      ...(conditions === undefined ? undefined : { conditions }),
      ...said.findReasoningFamilies(),
      ...(serverTools === undefined ? undefined : { serverTools }),
      ...(toolModels === undefined ? undefined : { toolModels }),
      ...(native.neededAt === undefined
        ? undefined
        : { dialect: { dialect: native.dialect, path: native.neededAt } }),
      ...(prefill === undefined ? undefined : { prefillAt: toPath(native, prefill) }),
      ...(native.fields === undefined
        ? undefined
        : { nativeFields: { dialect: native.dialect, names: native.fields } }),
      ...(native.choosesModelAt === undefined
        ? undefined
        : { modelChoice: { dialect: native.dialect, path: native.choosesModelAt } }),
      inputTokens,
      outputTokens: maxOutputTokens ?? 0,
      // Without a limit the answer is taken to be as long as the prompt, so the mean of both prices ranks.
      expectedOutputTokens: maxOutputTokens ?? inputTokens,
      images
    }
  }
}

/**
 * The path of a message in the caller's request. In another API it is the path of the last message, because the indices
 * of the chat differ.
 */
const toPath = ({ body, dialect }: ParsedChat["native"], index: number): string => {
  if (dialect === "chat") return `messages.${index}`
  const name = dialect === "responses" ? "input" : "messages"
  const list = body[name]
  return Array.isArray(list) ? `${name}.${list.length - 1}` : name
}

const getChatCapability = ({ chat }: Upstream): ChatCapability | undefined => chat

/** Endpoints that support these are preferred over others of their model. */
const preferredParameters = ["tools", "response_format", "verbosity"]

/** A request for the flex tier avoids endpoints of another price where a flex endpoint exists. */
const toRequirements = (
  parameters: ParsedChat["parameters"]
): Pick<Requirements, "preferredParameters" | "tier"> => {
  const wanted = preferredParameters.filter((name) => Object.hasOwn(parameters, name))
  const { service_tier: tier } = parameters
  if (tier === "flex") return { preferredParameters: ["service_tier", ...wanted], tier }
  return tier === "priority"
    ? { preferredParameters: wanted, tier }
    : { preferredParameters: wanted }
}
