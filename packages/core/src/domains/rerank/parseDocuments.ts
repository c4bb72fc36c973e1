/** Parses the `documents` of a rerank, which are texts, or objects with a text, an image, or both. */
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import { findMediaUrlProblem } from "../../engine/outbound/findMediaProblem.ts"
import { failInvalid } from "../../routing/parseRequest.ts"
import type { SettingsShape } from "../../instance/Settings.ts"
import type { RerankDocument } from "../../engine/upstreams/RerankCapability.ts"
import type { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { findCountProblem } from "../../values/validation/findCountProblem.ts"

export const parseDocuments = (
  value: unknown,
  settings: SettingsShape
): Result.Result<ReadonlyArray<RerankDocument>, InvalidRequest> => {
  if (!Array.isArray(value)) return failInvalid(root, "must be a list")
  if (value.length === 0) return failInvalid(root, "must have at least one document")
  const tooMany = findCountProblem(value.length, "maxDocuments", settings, root)
  if (tooMany !== undefined) return Result.fail(tooMany)
  const documents: Array<RerankDocument> = []
  for (const [index, each] of (value as ReadonlyArray<unknown>).entries()) {
    if (typeof each === "string") {
      documents.push({ text: each })
      continue
    }
    const document = parseDocument([...root, index], each, settings)
    if (Result.isFailure(document)) return Result.fail(document.failure)
    documents.push(document.success)
  }
  return Result.succeed(documents)
}

const root: Path = ["documents"]

type Path = ReadonlyArray<string | number>

const parseDocument = (
  path: Path,
  value: unknown,
  settings: SettingsShape
): Result.Result<RerankDocument, InvalidRequest> => {
  if (!Predicate.isObject(value)) {
    return failInvalid(path, "must be a text, or an object with text or image")
  }
  const unknown = Object.keys(value).find((name) => name !== "text" && name !== "image")
  if (unknown !== undefined) {
    return failInvalid([...path, unknown], "a document has text and image only")
  }
  const text = value["text"] ?? undefined
  const image = value["image"] ?? undefined
  if (text !== undefined && typeof text !== "string") {
    return failInvalid([...path, "text"], "must be a text")
  }
  if (image !== undefined && typeof image !== "string") {
    return failInvalid([...path, "image"], "must be an https, http or data address")
  }
  if (text === undefined && image === undefined) {
    return failInvalid(path, "must have text or image")
  }
  const problem = image === undefined ? undefined : findMediaUrlProblem(image, settings)
  if (problem !== undefined) return failInvalid([...path, "image"], problem)
  return Result.succeed({
    ...(text === undefined ? undefined : { text }),
    ...(image === undefined ? undefined : { image })
  })
}
