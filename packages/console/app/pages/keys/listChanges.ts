/** The fields of a record in which two states of it differ, without the time of the change. */

export interface Change {
  readonly field: string
  /** JSON; undefined where the state lacks the field. */
  readonly before: string | undefined
  readonly after: string | undefined
}

export const listChanges = (before: unknown, after: unknown): ReadonlyArray<Change> => {
  const [old, young] = [toFields(before), toFields(after)]
  return Array.from(new Set([...old.keys(), ...young.keys()])).flatMap((field) => {
    const change = { field, before: old.get(field), after: young.get(field) }
    return change.before === change.after || field === "updated_at" ? [] : [change]
  })
}

/** A map, because fields may be named by callers. */
const toFields = (state: unknown): ReadonlyMap<string, string> => {
  if (state === null || state === undefined) return new Map()
  if (typeof state !== "object") return new Map([["value", JSON.stringify(state)]])
  return new Map(Object.entries(state).map(([field, value]) => [field, JSON.stringify(value)]))
}
