/** Why the worst case of a request is unknown at a candidate: a tool that the provider runs at no known price or bound. */
import { isKnown } from "../../engine/catalog/endpoint/Price.ts"
import type { ServerTool } from "../../conversation/serverTools/ServerTool.ts"
import type { Candidate } from "../Candidate.ts"
import type { Requirements } from "../Requirements.ts"
import { boundServerTools, listServerTools } from "./boundServerTools.ts"

/** The missing bound; undefined: the worst case is known. */
export const findUnboundedTool = (
  candidate: Candidate,
  { serverTools, toolModels }: Pick<Requirements, "serverTools" | "toolModels">
): string | undefined => {
  const { dialect = "chat", endpoint, price } = candidate
  const tools = listServerTools(serverTools, candidate)
  const { freeTools = [] } = endpoint.serverTools === false ? {} : endpoint.serverTools
  const hasSearchPrice = price.others.web_search !== undefined
  for (const { fee, path, type } of tools) {
    if (freeTools.includes(type)) continue
    if (fee === "search" && !hasSearchPrice) {
      return `${path} (${type}) without a price: set price.web_search of the endpoint, or name it in serverTools.freeTools`
    }
    if (fee === "unknown") {
      return `${path} (${type}) at an unknown price: if its calls cost nothing besides tokens, name it in serverTools.freeTools of the endpoint`
    }
  }
  const unpriced = toolModels?.[dialect]?.find(
    ({ name, path }) => isAsked(path, tools) && !hasPrice(name, candidate)
  )
  if (unpriced !== undefined) {
    return `${unpriced.path} (${unpriced.name}) at an unknown price: add an endpoint of the provider ${endpoint.provider} with this model and its price to the catalog`
  }
  if (tools.length === 0) return undefined
  return boundServerTools(tools, endpoint).inputTokens === Infinity
    ? `${tools[0]?.path} reads an unknown number of tokens: set contextLength or serverTools.maxInputTokens of the endpoint`
    : undefined
}

/** Whether a tool that the provider runs asks the model, or all tools have it as a fallback. */
const isAsked = (path: string, tools: ReadonlyArray<ServerTool>): boolean =>
  /^(?:extra_body\.|\w*fallback)/.test(path) ||
  tools.some((tool) => path.startsWith(`${tool.path}.`))

/** Whether the catalog says what this model costs at the provider. */
const hasPrice = (name: string, { endpoint, providerEndpoints }: Candidate): boolean =>
  name === endpoint.upstreamModel ||
  providerEndpoints?.get(name)?.some(({ price }) => isKnown(price)) === true
