/** The values that a generation counts to in rollups. */
import {
  type Dimension,
  type DimensionValue,
  getPairedTag,
  maxValueCharacters,
  type PairDimension,
  toTagDimension,
  workspaceUsers
} from "../../../values/Dimension.ts"
import { getTag, maxTags } from "../../../values/Tags.ts"
import type { Generation } from "../generations/Generation.ts"
import { type Counted, countAttempt, countGeneration } from "./MeasuresSum.ts"

/** Calls `add` with every value that the generation counts to; `pairs` are kept, and `writePair` writes their values. */
export const forEachValue = (
  generation: Generation,
  pairs: ReadonlyArray<PairDimension>,
  writePair: (first: string, second: string) => string,
  add: (dimension: Dimension, value: DimensionValue, counted: Counted) => void
): void => {
  const request = countGeneration(generation)
  const { error = "answered", externalUser, keyHash, requestedModel, tags, user } = generation
  const model = truncate(generation.model ?? requestedModel)
  add("total", null, request)
  add("outcome", error, request)
  add("operation", generation.operation, request)
  add("model", model, request)
  add("workspace", generation.workspace, request)
  add("key", keyHash ?? null, request)
  add("user", user === undefined ? null : truncate(user), request)
  add("external_user", externalUser === undefined ? null : truncate(externalUser), request)
  if (tags !== undefined) {
    // A record that was not made here may have more.
    for (const key of Object.keys(tags).slice(0, maxTags)) {
      add(toTagDimension(key), truncate(tags[key]!), request)
    }
  }
  for (const pair of pairs) {
    const first = getFirst(generation, pair)
    const second = pair === workspaceUsers ? user : model
    if (first !== undefined && second !== undefined) {
      add(pair, writePair(truncate(first), truncate(second)), request)
    }
  }
  for (const attempt of generation.attempts) {
    const counted = countAttempt(attempt)
    add("provider", truncate(attempt.provider), counted)
    add("endpoint", truncate(attempt.endpoint), counted)
  }
}

const getFirst = (
  { externalUser, keyHash, tags, user, workspace }: Generation,
  pair: PairDimension
): string | undefined => {
  switch (pair) {
    case "workspace,model":
    case workspaceUsers:
      return workspace
    case "user,model":
      return user
    case "external_user,model":
      return externalUser
    case "key,model":
      return keyHash
    default:
      return getTag(tags, getPairedTag(pair))
  }
}

/** Callers choose the text. */
const truncate = (text: string): string =>
  text.length <= maxValueCharacters && text.isWellFormed()
    ? text
    : text.slice(0, maxValueCharacters).toWellFormed()
