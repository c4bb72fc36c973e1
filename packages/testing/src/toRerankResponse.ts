/** Answers reranks, in the form of Cohere, Jina, Voyage or OpenRouter. */
import type { ScriptedResponse } from "./ScriptedResponse.ts"
import * as answer from "./ScriptedResponse.ts"
import type { Content, RankingContent, RankingFlaw } from "./Content.ts"
import { countTokens } from "./countTokens.ts"
import { getProperty } from "./getProperty.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import { ScriptError } from "./ScriptError.ts"
import { toScriptErrorResponse } from "./toErrorResponse.ts"

/** The default step of a server is a Decision, which means a correct answer. */
export const toRerankResponse = (request: RecordedRequest, content: Content): ScriptedResponse => {
  if (content.type !== "ranking" && content.type !== "decision") {
    throw new ScriptError(`a rerank has no ${content.type} answer`)
  }
  const {
    flaw,
    omitsUsage = false,
    report,
    scores
  }: RankingContent = content.type === "ranking"
    ? content
    : { type: "ranking", report: content.report }
  const { body, model } = request
  const documents = getProperty(body, "documents")
  const query = getProperty(body, "query")
  if (model === undefined || typeof query !== "string" || !Array.isArray(documents)) {
    return toScriptErrorResponse("rerank", 400, "model, query and documents are required")
  }
  const form = findForm(request.path)
  const count = getProperty(body, form === "voyage" ? "top_k" : "top_n") ?? documents.length
  const ranked = applyRankingFlaw(
    documents
      .map((_, index) => ({ index, relevance_score: scores?.[index] ?? 1 / (index + 2) }))
      .toSorted((one, other) => other.relevance_score - one.relevance_score)
      .slice(0, Number(count)),
    flaw
  )
  const tokens =
    report.usage?.inputTokens ?? countTokens(query) * documents.length + countTokens(request.raw)
  const common = {
    ...(report.id === undefined ? undefined : { id: report.id }),
    model: report.model ?? model
  }
  const withDocuments = (toDocument: (document: unknown) => unknown) =>
    ranked.map((result) => ({ ...result, document: toDocument(documents[result.index]) }))
  switch (form) {
    case "cohere":
      return answer.makeJsonResponse({
        id: report.id ?? `rerank-${request.at}`,
        results: ranked,
        ...(omitsUsage
          ? undefined
          : { meta: { billed_units: { search_units: Math.ceil(documents.length / 100) } } })
      })
    case "jina":
      return answer.makeJsonResponse({
        ...common,
        results: withDocuments((text) => ({ text })),
        ...(omitsUsage ? undefined : { usage: { total_tokens: tokens } })
      })
    case "voyage":
      return answer.makeJsonResponse({
        ...common,
        object: "list",
        data: withDocuments((text) => text),
        ...(omitsUsage ? undefined : { usage: { total_tokens: tokens } })
      })
    case "openrouter":
      return answer.makeJsonResponse({
        ...common,
        provider: report.provider ?? "Scripted",
        results: withDocuments((document) =>
          typeof document === "string" ? { text: document } : document
        ),
        ...(omitsUsage
          ? undefined
          : {
              usage: {
                search_units: 1,
                total_tokens: tokens,
                ...(report.cost === undefined ? undefined : { cost: report.cost })
              }
            })
      })
  }
}

const findForm = (path: string): "cohere" | "jina" | "openrouter" | "voyage" => {
  if (path.startsWith("/v2/")) return "cohere"
  if (path.startsWith("/api/")) return "openrouter"
  return path.startsWith("/voyage/") ? "voyage" : "jina"
}

interface ScriptedResult {
  readonly index: number
  readonly relevance_score: number
}

const applyRankingFlaw = (
  results: ReadonlyArray<ScriptedResult>,
  flaw: RankingFlaw | undefined
): ReadonlyArray<ScriptedResult> => {
  const [first, ...others] = results
  if (first === undefined || flaw === undefined) return results
  switch (flaw) {
    case "missing_result":
      return others
    case "repeated_index":
      return [first, ...results]
    case "unknown_index":
      return [...others, { ...first, index: 1_000_000 }]
    case "not_a_number":
      return [...others, { ...first, relevance_score: Number.NaN }]
  }
}
