/** Merges the deltas of one message in place, so that the cost of a delta does not depend on the length of the message. */
import * as Predicate from "effect/Predicate"

/** The fields so far of a message, or of an object in it. */
export class MergedObject {
  private readonly values = new Map<string, unknown>()

  /**
   * Concatenates texts, merges objects field by field, and merges list items with the same `index`, as in
   * `tool_calls`; other items are appended. Of other values the last one counts.
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

/** Repeated in full with each delta. */
const repeatedFields: ReadonlySet<string> = new Set(["role", "id", "type", "format", "name"])

export const isIndexed = (item: unknown): item is { readonly index: number } =>
  Predicate.isObject(item) && typeof item["index"] === "number"
