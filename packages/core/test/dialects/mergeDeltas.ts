/** Puts the deltas of one choice together, as clients of the chat API do. */
type Json = Readonly<Record<string, unknown>>

/** Joins texts, and merges what has the same `index` in a list. Of other values the last one counts. */
export const mergeDeltas = (deltas: ReadonlyArray<{ readonly delta: Json }>): Json =>
  deltas.reduce<Json>((merged, { delta }) => mergeObjects(merged, delta), {})

/** Repeated in full with each delta. */
const repeatedFields: ReadonlySet<string> = new Set(["role", "id", "type", "format", "name"])

const mergeObjects = (before: Json, next: Json): Json => ({
  ...before,
  ...Object.fromEntries(
    Object.entries(next).map(([name, value]) => [name, mergeValues(before[name], value, name)])
  )
})

const mergeValues = (before: unknown, next: unknown, name: string): unknown => {
  if (typeof next === "string" && typeof before === "string") {
    return repeatedFields.has(name) ? next || before : before + next
  }
  if (Array.isArray(next)) return next.reduce(addItem, Array.isArray(before) ? before : [])
  if (isJson(next)) return mergeObjects(isJson(before) ? before : {}, next)
  return next ?? before
}

const addItem = (list: ReadonlyArray<unknown>, item: unknown): ReadonlyArray<unknown> => {
  if (!isJson(item)) return [...list, item]
  const { index } = item
  const at =
    typeof index === "number"
      ? list.findIndex((each) => isJson(each) && each["index"] === index)
      : -1
  const known = list[at]
  return isJson(known)
    ? list.with(at, mergeObjects(known, item))
    : [...list, mergeObjects({}, item)]
}

const isJson = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)
