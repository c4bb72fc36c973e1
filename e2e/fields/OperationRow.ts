/** A row of the table that says what happens to a field of an operation other than chats. */
import type { Treatment } from "./FieldRow.ts"

export interface OperationRow {
  /** Its path, with `[]` for the elements of a list; behind a colon, a value of it. */
  readonly field: string
  /** One treatment for OpenAI's API and OpenRouter's, or one each. */
  readonly at: Treatment | `${Treatment} ${Treatment}`
  /** Has the field. */
  readonly request: Readonly<Record<string, unknown>>
  /** The same without it; default: no fields. */
  readonly without?: Readonly<Record<string, unknown>>
  /** What the router does, in Markdown. */
  readonly note?: string
}

export const listOperationTreatments = ({ at }: OperationRow): ReadonlyArray<Treatment> => {
  const each = at.split(" ") as ReadonlyArray<Treatment>
  return each.length === 1 ? [each[0]!, each[0]!] : each
}
