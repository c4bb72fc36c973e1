/** What differs between two catalogs. */
import type { ComparedModel } from "./ComparedModel.ts"

/** A field with another value; absent where the model does not have it. */
export interface FieldChange {
  readonly field: string
  readonly before?: string
  readonly after?: string
}

export interface CatalogDiff {
  /** The ids of models that only the second catalog has. */
  readonly added: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  readonly changed: ReadonlyArray<{
    readonly model: string
    readonly changes: ReadonlyArray<FieldChange>
  }>
  /** How many models are the same. */
  readonly same: number
}

type Models = ReadonlyMap<string, ComparedModel>

/** In the order of ids. */
export const diffCatalogs = (before: Models, after: Models): CatalogDiff => {
  const shared = listKeys(before).filter((id) => after.has(id))
  const changed = shared.flatMap((model) => {
    const changes = diffFields(before.get(model) ?? noFields, after.get(model) ?? noFields)
    return changes.length === 0 ? [] : [{ model, changes }]
  })
  return {
    added: listKeys(after).filter((id) => !before.has(id)),
    removed: listKeys(before).filter((id) => !after.has(id)),
    changed,
    same: shared.length - changed.length
  }
}

export const isSame = ({ added, changed, removed }: CatalogDiff): boolean =>
  added.length + removed.length + changed.length === 0

const noFields: ComparedModel = new Map()

const diffFields = (before: ComparedModel, after: ComparedModel): ReadonlyArray<FieldChange> => {
  const fields = new Set([...before.keys(), ...after.keys()])
  const isGone = (field: string): boolean => !before.has(field) || !after.has(field)
  return Array.from(fields)
    .filter((field) => before.get(field) !== after.get(field))
    .filter((field) => {
      // For an added or removed endpoint, only that is reported, not its fields.
      const endpoint = findEndpoint(field, fields)
      return endpoint === undefined || !isGone(endpoint)
    })
    .toSorted()
    .map((field) => toChange(field, before.get(field), after.get(field)))
}

const toChange = (
  field: string,
  before: string | undefined,
  after: string | undefined
): FieldChange => ({
  field,
  ...(before === undefined ? undefined : { before }),
  ...(after === undefined ? undefined : { after })
})

/** The field that says that the endpoint of another field is there. Tags may have dots. */
const findEndpoint = (field: string, fields: ReadonlySet<string>): string | undefined => {
  if (!field.startsWith("endpoints.")) return undefined
  for (let dot = field.lastIndexOf("."); dot > 0; dot = field.lastIndexOf(".", dot - 1)) {
    const parent = field.slice(0, dot)
    if (fields.has(parent)) return parent
  }
  return undefined
}

const listKeys = (map: Models): ReadonlyArray<string> => Array.from(map.keys()).toSorted()
