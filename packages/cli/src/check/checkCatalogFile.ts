/** Checks a JSON file of models, and tells lines and columns. */
import { type ModelConfig, parseModelList } from "@signalbox/core/catalog"
import * as Effect from "effect/Effect"
import { type JsonPath, readJsonFile } from "../files/JsonFile.ts"
import { findEntries, isRecord } from "../models/readListing.ts"
import { toReason } from "../models/toReason.ts"
import { type Finding, isolate } from "./Finding.ts"
import { findModelMistakes } from "./findModelMistakes.ts"
import { findModelWarnings } from "./findWarnings.ts"
import type { PlacedFinding } from "./renderFindings.ts"

/** Which upstreams there are, only a configuration says: those that endpoints name are taken to be there. */
export const checkCatalogFile = Effect.fnUntraced(function* (path: string) {
  const { locate, value } = yield* readJsonFile(path)
  const place =
    (kind: PlacedFinding["kind"]) =>
    (finding: Finding): PlacedFinding => ({ ...finding, kind, place: locate(finding.path) })
  const { mistakes, models, path: at } = checkValue(value)
  return mistakes.length > 0
    ? mistakes.map(place("mistake"))
    : findModelWarnings(models, at).map(place("warning"))
})

interface CheckedValue {
  readonly mistakes: ReadonlyArray<Finding>
  readonly models: ReadonlyArray<ModelConfig>
  readonly path: ReadonlyArray<string>
}

const checkValue = (value: unknown): CheckedValue => {
  const path = isRecord(value) && Array.isArray(value["models"]) ? ["models"] : []
  const models = path.length > 0 && isRecord(value) ? value["models"] : value
  if (Array.isArray(models) && models.every((model) => !isListed(model))) {
    // Without mistakes, they are models.
    return { mistakes: findModelMistakes(models, undefined, path), models, path }
  }
  const entries = findEntries(value)
  if (entries === undefined) {
    const problem =
      'expected a list of models such as [{"id": "acme/talker", "endpoints": […]}], or {"data": […]} as GET /api/v1/models answers'
    return { mistakes: [{ path: [], problem }], models: [], path: [] }
  }
  const at: ReadonlyArray<string> = Array.isArray(value) ? [] : ["data"]
  return { mistakes: findEntryMistakes(entries, at), models: [], path: at }
}

const isListed = (model: unknown): boolean =>
  isRecord(model) && !("endpoints" in model) && "pricing" in model

/** Each field of an entry is checked in an entry of its own. */
const findEntryMistakes = (
  entries: ReadonlyArray<unknown>,
  path: JsonPath
): ReadonlyArray<Finding> => {
  const first = new Set<unknown>()
  return entries.flatMap((entry, index) => {
    const at = [...path, index]
    const id = isRecord(entry) ? entry["id"] : undefined
    const found = isolate(
      at,
      () => checkEntry(entry),
      () =>
        Object.entries(isRecord(entry) ? entry : {}).flatMap(([name, value]) =>
          isolate([...at, name], () => checkEntry({ id: "any/model", [name]: value }), none)
        )
    )
    if (found.length === 0 && first.has(id)) {
      return [{ path: [...at, "id"], problem: `two models are called "${String(id)}"` }]
    }
    first.add(id)
    return found
  })
}

const checkEntry = (entry: unknown): void => {
  const [problem] = toProblems(entry)
  if (problem !== undefined) throw new RangeError(problem)
}

/** Checks an entry as an import would. */
const toProblems = (entry: unknown): ReadonlyArray<string> => {
  try {
    const models = parseModelList([entry], { servedBy: { provider: "any" } })
    return findModelMistakes(models, undefined, []).map(({ problem }) => problem)
  } catch (error) {
    return [toReason(error)]
  }
}

const none = (): ReadonlyArray<Finding> => []
