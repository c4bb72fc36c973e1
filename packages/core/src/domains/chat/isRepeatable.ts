/** Whether a chat may be sent to two providers at once: not if it does more there than to answer. */
import { isObject } from "../../values/json/guards.ts"
import type { ParsedChat } from "./request/parseChatRequest.ts"

/** A stored or background answer would be there twice, and so would the effects of tools that the provider runs. */
export const isRepeatable = ({ native, parameters }: ParsedChat): boolean =>
  native.neededAt === undefined &&
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
