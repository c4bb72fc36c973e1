/** A list of requests that operators of a workspace keep under a name: its filters and its order. */
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import { generationFigures } from "../../engine/observability/generations/GenerationFilter.ts"
import type { ResourceOrigin } from "../../tenants/workspaces/makeOwnedResource.ts"
import { InvalidRequest } from "../../values/errors/RequestErrors.ts"
import { setUpdatedAt } from "../../values/setUpdatedAt.ts"
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

export const make = (
  { filters = {}, name, sort = null }: Omit<NewSavedView, "workspace_id">,
  { at, id, workspace }: ResourceOrigin
): Result.Result<SavedView, InvalidRequest> =>
  checkFilters({
    id,
    workspace_id: workspace,
    name,
    filters,
    sort,
    created_at: at,
    updated_at: at
  })

export const change = (
  view: SavedView,
  patch: SavedViewPatch,
  at: string
): Result.Result<SavedView, InvalidRequest> =>
  checkFilters(setUpdatedAt(view, { ...view, ...patch }, at))

/** A filter that the list does not have would be dropped when the view is opened. */
const checkFilters = (view: SavedView): Result.Result<SavedView, InvalidRequest> => {
  const unknown = Object.keys(view.filters).find((name) => !viewFilters.includes(name))
  return unknown === undefined
    ? Result.succeed(view)
    : Result.fail(
        new InvalidRequest({
          path: ["filters", unknown],
          problem: `is no filter of a view; there are ${viewFilters.join(", ")}`
        })
      )
}
