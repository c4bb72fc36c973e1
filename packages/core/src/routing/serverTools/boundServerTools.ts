/** What tools that the provider runs may read and search at an endpoint, as a bound for reservations and reports. */
import type { Endpoint } from "../../engine/catalog/endpoint/Endpoint.ts"
import { includesParameter } from "../../engine/catalog/endpoint/SupportedParameters.ts"
import type { Dialect } from "../../conversation/Dialect.ts"
import type { ServerTool } from "../../conversation/serverTools/ServerTool.ts"
import { type Candidate, takesField } from "../Candidate.ts"
import type {
  ResolvedToolModel,
  ServerToolsByDialect,
  ToolModelsByDialect
} from "../Requirements.ts"
import { type TokenUsage, getRequestCount } from "../../values/usage/TokenUsage.ts"

/** The bound of one answer. */
export interface ServerToolBound {
  /** Input tokens over all turns of the model; Infinity: unknown. */
  readonly inputTokens: number
  readonly webSearches: number
}

/** Anthropic's loop ends after 10 iterations, https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons#pause-turn. */
const defaultMaxTurns = 11
const defaultMaxCalls = 10

/** The tools of a request that this candidate is sent, and those that its model uses unasked. */
export const listServerTools = (
  byDialect: ServerToolsByDialect | undefined,
  candidate: Pick<Candidate, "dialect" | "endpoint" | "serverFields">
): ReadonlyArray<ServerTool> => {
  const { dialect = "chat", endpoint } = candidate
  const { serverTools: terms } = endpoint
  const asked = byDialect?.[dialect]
  const isUnasked = terms !== false && terms.unasked === true
  if (asked === undefined) return isUnasked ? unaskedSearch : none
  const sent = asked.filter(({ parameter }) =>
    isPlugin(parameter) ? takesField(candidate, parameter) : isSent(endpoint, dialect, parameter)
  )
  return isUnasked ? [...sent, ...unaskedSearch] : sent
}

/** The models that tools of a request name, and that this candidate learns of. */
export const listToolModels = (
  byDialect: ToolModelsByDialect | undefined,
  candidate: Pick<Candidate, "dialect" | "serverFields">
): ReadonlyArray<ResolvedToolModel> | undefined =>
  byDialect?.[candidate.dialect ?? "chat"]?.filter(
    ({ path }) => !isPlugin(path) || takesField(candidate, path)
  )

/** Servers that know plugins get them even if their endpoints do not list them. */
const isPlugin = (path: string): boolean => path.startsWith("plugins")

const none: ReadonlyArray<ServerTool> = []

const unaskedSearch: ReadonlyArray<ServerTool> = [
  { path: "model", type: "search", parameter: "model", fee: "search" }
]

/** Only fields with a name in chat can be left out by a list of parameters: of the other APIs, the tools. */
const isSent = ({ supportedParameters }: Endpoint, dialect: Dialect, parameter: string): boolean =>
  (dialect !== "chat" && parameter !== "tools") ||
  includesParameter(supportedParameters, parameter) !== false

/** The bound of one answer with these tools. */
export const boundServerTools = (
  tools: ReadonlyArray<ServerTool>,
  endpoint: Pick<Endpoint, "contextLength" | "serverTools">
): ServerToolBound => {
  const { maxCalls = defaultMaxCalls } =
    endpoint.serverTools === false ? noTerms : endpoint.serverTools
  let webSearches = 0
  for (const tool of tools) if (tool.fee === "search") webSearches += tool.maxCalls ?? maxCalls
  return { inputTokens: boundReading(tools, endpoint), webSearches }
}

/** The worst case of the sent request, plus what these tools may read and search in each of its requests. */
export const addServerTools = (
  sent: TokenUsage,
  tools: ReadonlyArray<ServerTool>,
  endpoint: Pick<Endpoint, "contextLength" | "serverTools">
): TokenUsage => {
  if (tools.length === 0) return sent
  const requests = getRequestCount(sent)
  const { inputTokens, webSearches } = boundServerTools(tools, endpoint)
  return {
    ...sent,
    // A Decision may need no request, and infinity times nothing is no number.
    inputTokens: requests === 0 ? 0 : Math.max(sent.inputTokens, inputTokens * requests),
    ...(webSearches === 0 ? undefined : { webSearches: webSearches * requests })
  }
}

/** The most input that an answer can have whose provider searched or read by itself, asked or not. */
export const boundReading = (
  tools: ReadonlyArray<ServerTool>,
  { contextLength = Infinity, serverTools }: Pick<Endpoint, "contextLength" | "serverTools">
): number => {
  const terms = serverTools === false ? noTerms : serverTools
  const { maxInputTokens, maxTurns } = terms
  return maxInputTokens ?? contextLength * (maxTurns ?? boundTurns(tools))
}

/** The most input that one turn of the model can have at an endpoint; Infinity: unknown. */
export const boundTurn = ({
  contextLength = Infinity,
  serverTools
}: Pick<Endpoint, "contextLength" | "serverTools">): number => {
  const { maxInputTokens = Infinity } = serverTools === false ? noTerms : serverTools
  return Math.min(contextLength, maxInputTokens)
}

const noTerms: Exclude<Endpoint["serverTools"], false> = {}

const boundTurns = (tools: ReadonlyArray<ServerTool>): number =>
  tools.length === 0
    ? defaultMaxTurns
    : Math.max(...tools.map(({ maxTurns = defaultMaxTurns }) => maxTurns))
