/** Writes the body of a rerank. */
import type { RerankCall, RerankDocument } from "@signalbox/core/upstream"
import * as Result from "effect/Result"

export const writeRerank = ({ documents, model, parameters, query, topN }: RerankCall) =>
  Result.succeed({
    ...parameters,
    model,
    query,
    documents: documents.map(toDocument),
    top_n: topN
  })

/** A mere text as text, which every model takes. */
const toDocument = (document: RerankDocument): string | RerankDocument =>
  document.image === undefined ? (document.text ?? "") : document
