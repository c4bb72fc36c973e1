/** Puts the parts of one message together in place: a part costs what it holds, however much came before it. */
import * as Predicate from "effect/Predicate"

/** The fields of a message, or of an object in it, as far as they came. */
export class MergedObject {
  private readonly values = new Map<string, unknown>()

  /**
   * Texts of one name are joined, so are objects field by field, and lists item by item where their items have an
   * `index`, as `tool_calls` do; other items follow those that came before. Of anything else the last one counts.
   */
  merge(part: object): void {
    for (const [name, value] of Object.entries(part)) {
      this.values.set(name, mergeValue(this.values.get(name), value, name))
    }
  }

  toJson(): Record<string, unknown> {
    return Object.fromEntries(Array.from(this.values, ([name, value]) => [name, toJson(value)]))
  }
}

class MergedList {
  private readonly items: Array<unknown> = []
  private readonly byIndex = new Map<number, MergedObject>()

  merge(part: ReadonlyArray<unknown>): void {
    for (const item of part) {
      if (isIndexed(item)) this.at(item.index).merge(item)
      else this.items.push(item)
    }
  }

  toJson(): ReadonlyArray<unknown> {
    return this.items.map(toJson)
  }

  private at(index: number): MergedObject {
    let fields = this.byIndex.get(index)
    if (fields === undefined) {
      this.byIndex.set(index, (fields = new MergedObject()))
      this.items.push(fields)
    }
    return fields
  }
}

const mergeValue = (before: unknown, part: unknown, name: string): unknown => {
  if (typeof part === "string") {
    if (typeof before !== "string") return part
    return repeatedFields.has(name) ? part || before : before + part
  }
  if (Array.isArray(part))
    return mergeInto(before instanceof MergedList ? before : new MergedList(), part)
  if (Predicate.isObject(part))
    return mergeInto(before instanceof MergedObject ? before : new MergedObject(), part)
  return part ?? before
}

const mergeInto = <P>(whole: { readonly merge: (part: P) => void }, part: P): unknown => {
  whole.merge(part)
  return whole
}

const toJson = (value: unknown): unknown =>
  value instanceof MergedObject || value instanceof MergedList ? value.toJson() : value

/** Sent whole each time, not part by part. */
const repeatedFields: ReadonlySet<string> = new Set(["role", "id", "type", "format", "name"])

interface Indexed {
  readonly index: number
}

export const isIndexed = (item: unknown): item is Indexed =>
  Predicate.isObject(item) && typeof item["index"] === "number"
