/** The fields of a form, and what has been changed in it. */
import { formatTime } from "../format/format.ts"
import { getPreferences } from "../preferences/preferences.ts"

/** What is in the fields: texts, as the controls have them. A checkbox is `true` or empty, a list has commas. */
export type Values = Readonly<Record<string, string>>

export interface FormField {
  readonly name: string
  readonly label: string
  readonly kind: "checkbox" | "date" | "list" | "number" | "secret" | "select" | "text"
  readonly isRequired?: boolean
  /** Of a select: values with what they are called. */
  readonly options?: ReadonlyArray<readonly [value: string, label: string]>
  /** Of a text: what may be typed. */
  readonly suggestions?: ReadonlyArray<string>
  readonly hint?: string
}

/** One line of what a form will do. */
export interface FieldChange {
  readonly label: string
  readonly before: string
  readonly after: string
}

/** The fields that differ from `before`, as their controls show them. A new thing differs from nothing. */
export const listFieldChanges = (
  fields: ReadonlyArray<FormField>,
  before: Values,
  after: Values
): ReadonlyArray<FieldChange> =>
  fields.flatMap((field) => {
    const [old = "", young = ""] = [before[field.name], after[field.name]]
    return old.trim() === young.trim()
      ? []
      : [{ label: field.label, before: describe(field, old), after: describe(field, young) }]
  })

const describe = ({ kind, options = [] }: FormField, value: string): string => {
  const text = value.trim()
  if (kind === "checkbox") return text === "" ? "no" : "yes"
  if (kind === "select") return options.find(([each]) => each === text)?.[1] ?? text
  if (text === "") return "none"
  if (kind === "secret") return "a new secret"
  return kind === "date" ? formatTime(toInstant(text).getTime()) : text
}

export const parseList = (text = ""): ReadonlyArray<string> =>
  text
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "")

/** Null for an empty field. */
export const parseNumber = (text = ""): number | null => (text.trim() === "" ? null : Number(text))

/** ISO 8601 of a typed time; null for an empty field. */
export const parseDate = (text = ""): string | null =>
  text.trim() === "" ? null : toInstant(text).toISOString()

/** A typed time names no zone: it is of the one in which times are shown. */
export const toInstant = (text: string): Date =>
  new Date(getPreferences().isUtc ? `${text.trim()}Z` : text)

/** A time as a field has it: without its zone, to the minute. `at` is in milliseconds since the epoch. */
export const toFieldTime = (at: number): string => {
  const offset = getPreferences().isUtc ? 0 : new Date(at).getTimezoneOffset() * 60_000
  return new Date(at - offset).toISOString().slice(0, "2026-01-02T03:04".length)
}

export const toText = (value: boolean | number | string | null | undefined): string =>
  value === null || value === undefined || value === false ? "" : String(value)

/** What differs between two bodies, for an operation that keeps what it is not told. */
export const toPatch = (before: object, after: object): Readonly<Record<string, unknown>> => {
  const old = new Map(Object.entries(before))
  return Object.fromEntries(
    Object.entries(after).filter(
      ([name, value]) => JSON.stringify(old.get(name)) !== JSON.stringify(value)
    )
  )
}
