/** Lists what of a request to the Responses API providers with other APIs are not sent. */
import { isObject } from "../../values/json/guards.ts"

/** Few requests have many; of those the first are named. */
const maxLost = 64

/** Lists paths such as `input.3` of items that the provider ran, and `tools.1` of tools that it should run. */
export const listLostItems = ({
  input,
  tools
}: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  const items = listPlaces("input", input, isProvidersItem)
  const others = listPlaces("tools", tools, isProvidersTool)
  if (others.length === 0) return items
  return [...items, ...others].slice(0, maxLost)
}

const listPlaces = (
  name: string,
  list: unknown,
  isLost: (item: Readonly<Record<string, unknown>>) => boolean
): ReadonlyArray<string> => {
  let places: Array<string> | undefined
  if (!Array.isArray(list)) return none
  for (let index = 0; index < list.length; index++) {
    const item: unknown = list[index]
    if (!isObject(item) || !isLost(item)) continue
    if ((places ??= []).length < maxLost) places.push(`${name}.${index}`)
  }
  return places ?? none
}

const none: ReadonlyArray<string> = []

const isProvidersItem = ({ type }: Readonly<Record<string, unknown>>): boolean =>
  isProvidersCall(type)

const isProvidersTool = ({ type }: Readonly<Record<string, unknown>>): boolean =>
  !callersTools.has(type)

/**
 * Whether an item is a call of a tool that the provider runs. The caller's replies to it, such as an output, must not
 * be lost.
 */
export const isProvidersCall = (type: unknown): boolean =>
  typeof type === "string" &&
  type !== "function_call" &&
  type !== "custom_tool_call" &&
  (type.endsWith("_call") || type.startsWith("openrouter:") || type === "mcp_list_tools")

export const callersTools: ReadonlySet<unknown> = new Set(["custom", "function", "namespace"])
