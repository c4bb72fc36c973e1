/** Finds the models of the catalog that the models named by tools may stand for. */
import type { ServerTool } from "../../conversation/serverTools/ServerTool.ts"
import type { Configuration } from "../../engine/catalog/Configuration.ts"
import { isKnown } from "../../engine/catalog/endpoint/Price.ts"
import type { Model } from "../../engine/catalog/model/Model.ts"
import type { Candidate } from "../Candidate.ts"
import type { Requirements, ResolvedToolModel } from "../Requirements.ts"
import { boundServerTools, listServerTools } from "./boundServerTools.ts"

/** The same object for a request whose tools name no models. */
export const resolveToolModels = (
  requirements: Requirements,
  configuration: Configuration
): Requirements => {
  const { toolModels } = requirements
  if (toolModels === undefined) return requirements
  const resolve = (found: ResolvedToolModel): ResolvedToolModel => ({
    ...found,
    slugs: listModels(found.name, configuration).map(({ card, id }) => [id, card.canonical_slug])
  })
  return {
    ...requirements,
    toolModels: Object.fromEntries(
      Object.entries(toolModels).map(([dialect, list]) => [dialect, list.map(resolve)])
    )
  }
}

/** Finds the model by a slug of the catalog, else every model that some provider calls by this name. */
const listModels = (name: string, { models, resolve }: Configuration): ReadonlyArray<Model> => {
  const resolved = resolve(name)
  if (resolved !== undefined) return [resolved.model]
  const wanted = name.toLowerCase()
  return models.filter(({ endpoints }) =>
    endpoints.some(({ upstreamModel }) => upstreamModel.toLowerCase() === wanted)
  )
}

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
