/** Whether a row of the table says that the router does a field, or that the field asks for nothing. */
import { isDeepStrictEqual } from "node:util"
import { type FieldCase, getAt, toFieldName } from "./publishedFields.ts"

interface Row {
  readonly field: string
  readonly request: Readonly<Record<string, unknown>>
}

/** A row of one value is about that value alone. */
export const isDoneBy = ({ field, request }: Row, { path, value }: FieldCase): boolean => {
  const [name, form] = field.split(": ")
  const length = path.findIndex((_, at) => toFieldName(path.slice(0, at + 1)) === name) + 1
  if (length === 0) return false
  const place = path.slice(0, length)
  return form === undefined || isDeepStrictEqual(getAt(value, place), getAt(request, place))
}
