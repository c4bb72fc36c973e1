/** Puts the parts of one message together in place: a part costs what it holds, however much came before it. */
import * as Predicate from "effect/Predicate"

/** The fields of a message, or of an object in it, as far as they came. */
export class Fields {
  private readonly values = new Map<string, unknown>()

  /**
   * Texts of one name are joined, so are objects field by field, and lists item by item where their items have an
   * `index`, as `tool_calls` do; other items follow those that came before. Of anything else the last one counts.
   */
  join(part: object): void {
    for (const [name, value] of Object.entries(part)) {
      this.values.set(name, joined(this.values.get(name), value, name))
    }
  }

  toJson(): Record<string, unknown> {
    return Object.fromEntries(Array.from(this.values, ([name, value]) => [name, jsonOf(value)]))
  }
}

class List {
  private readonly items: Array<unknown> = []
  private readonly byIndex = new Map<number, Fields>()

  join(part: ReadonlyArray<unknown>): void {
    for (const item of part) {
      if (isIndexed(item)) this.at(item.index).join(item)
      else this.items.push(item)
    }
  }

  toJson(): ReadonlyArray<unknown> {
    return this.items.map(jsonOf)
  }

  private at(index: number): Fields {
    let fields = this.byIndex.get(index)
    if (fields === undefined) {
      this.byIndex.set(index, (fields = new Fields()))
      this.items.push(fields)
    }
    return fields
  }
}

const joined = (before: unknown, part: unknown, name: string): unknown => {
  if (typeof part === "string") {
    if (typeof before !== "string") return part
    return repeated.has(name) ? part || before : before + part
  }
  if (Array.isArray(part)) return joinedIn(before instanceof List ? before : new List(), part)
  if (Predicate.isObject(part))
    return joinedIn(before instanceof Fields ? before : new Fields(), part)
  return part ?? before
}

const joinedIn = <P>(whole: { readonly join: (part: P) => void }, part: P): unknown => {
  whole.join(part)
  return whole
}

const jsonOf = (value: unknown): unknown =>
  value instanceof Fields || value instanceof List ? value.toJson() : value

/** Sent whole each time, not part by part. */
const repeated: ReadonlySet<string> = new Set(["role", "id", "type", "format", "name"])

interface Indexed {
  readonly index: number
}

export const isIndexed = (item: unknown): item is Indexed =>
  Predicate.isObject(item) && typeof item["index"] === "number"
