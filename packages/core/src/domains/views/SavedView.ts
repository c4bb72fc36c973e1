/** A list of requests that operators of a workspace keep under a name: its filters and its order. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { generationFigures } from "../../engine/observability/generations/GenerationFilter.ts"
import { OperationName } from "../../values/OperationName.ts"
import { parseTag } from "../../values/Tags.ts"
import type { ResourceRules } from "../../tenants/workspaces/makeOwnedResource.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { setUpdatedAt } from "../../values/setUpdatedAt.ts"
import { parseDecimal } from "../../values/validation/parseDecimal.ts"
import { isMaxCharacters, isPlainText } from "../../values/validation/text.ts"

/** The parameters of `generations.list` that a view may set. Times are not among them: a view is for any time. */
const viewFilters: ReadonlyArray<string> = [
  "workspace_id",
  "key_hash",
  "user",
  "external_user",
  "tag",
  "session_id",
  "request_id",
  "model",
  "provider",
  "endpoint",
  "operation",
  "preset_id",
  "outcome",
  ...generationFigures.flatMap((figure) => [`min_${figure}`, `max_${figure}`])
]

const viewFields = {
  name: Schema.NonEmptyString.check(isMaxCharacters(200), isPlainText),
  /** Parameters of `generations.list` by name, all of which must hold; times are not among them. */
  filters: Schema.Record(Schema.String, Schema.NonEmptyString.check(isMaxCharacters(512))),
  /** The figure that the highest come first by; null: the latest come first. */
  sort: Schema.NullOr(Schema.Literals(generationFigures))
}

/** A saved view belongs to a workspace, whose operators share it. */
export const SavedView = Schema.Struct({
  id: Schema.String,
  workspace_id: Schema.String,
  ...viewFields,
  /** ISO 8601. */
  created_at: Schema.String,
  updated_at: Schema.String
})
export type SavedView = typeof SavedView.Type

/** The request body of a new view. */
export const NewSavedView = Schema.Struct({
  name: viewFields.name,
  filters: Schema.optionalKey(viewFields.filters),
  sort: Schema.optionalKey(viewFields.sort),
  workspace_id: Schema.optionalKey(Schema.NonEmptyString)
})
export type NewSavedView = typeof NewSavedView.Type

/** Omitted fields stay unchanged. */
export const SavedViewPatch = Schema.Struct(viewFields).mapFields(Struct.map(Schema.optionalKey))
export type SavedViewPatch = typeof SavedViewPatch.Type

export const savedViewRules: Effect.Effect<ResourceRules<SavedView, NewSavedView, SavedViewPatch>> =
  Effect.succeed({
    name: "saved_view",
    resource: "saved view",
    quota: "savedViews",
    make: ({ filters = {}, name, sort = null }, { at, id, workspace }) =>
      checkFilters({
        id,
        workspace_id: workspace,
        name,
        filters,
        sort,
        created_at: at,
        updated_at: at
      }),
    change: (view, patch, at) => checkFilters(setUpdatedAt(view, { ...view, ...patch }, at))
  })

/** The list would drop a filter that it does not have, and refuse a value that it cannot read, when the view is opened. */
const checkFilters = (view: SavedView): Result.Result<SavedView, InvalidRequest> => {
  for (const [name, value] of Object.entries(view.filters)) {
    const problem = findFilterProblem(name, value)
    if (problem !== undefined) {
      return Result.fail(new InvalidRequest({ path: ["filters", name], problem }))
    }
  }
  return Result.succeed(view)
}

const operations: ReadonlyArray<string> = OperationName.literals

const findFilterProblem = (name: string, value: string): string | undefined => {
  if (!viewFilters.includes(name)) {
    return `is no filter of a view; there are ${viewFilters.join(", ")}`
  }
  const got = JSON.stringify(value)
  if (name === "tag" && parseTag(value) === undefined) {
    return `must be the name and the value of a tag, such as customer:acme; got ${got}`
  }
  if (name === "operation" && !operations.includes(value)) {
    return `must be one of ${operations.join(", ")}; got ${got}`
  }
  const isBound = name.startsWith("min_") || name.startsWith("max_")
  const bound = parseDecimal(value)
  return isBound && !(Number.isFinite(bound) && bound >= 0)
    ? `must be a number of 0 or more; got ${got}`
    : undefined
}
