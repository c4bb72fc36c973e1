/** Fields of objects whose keys callers choose. */
import * as Schema from "effect/Schema"

/** Sets an own property under any name: an assignment to `__proto__` would set the prototype. */
export const setOwn = <A>(record: Record<string, A>, name: string, value: A): void => {
  if (name === "__proto__") {
    Object.defineProperty(record, name, {
      value,
      configurable: true,
      enumerable: true,
      writable: true
    })
  } else record[name] = value
}

/** Drops the keys whose value is undefined, as `exactOptionalPropertyTypes` requires. */
export const omitUndefined = <A extends object>(fields: A): DefinedFields<A> => {
  const defined: Record<string, unknown> = {}
  for (const name in fields) {
    const value: unknown = fields[name]
    if (value !== undefined) setOwn(defined, name, value)
  }
  // The record has lost the names.
  return defined as unknown as DefinedFields<A>
}

type DefinedFields<A> = {
  [K in keyof A as undefined extends A[K] ? never : K]: A[K]
} & {
  [K in keyof A as undefined extends A[K] ? K : never]?: Exclude<A[K], undefined>
}

/** Makes a key the most recently used of a map, and evicts the least recently used beyond `capacity`. */
export const setMostRecent = <Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  capacity: number
): void => {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > capacity && oldest !== undefined) map.delete(oldest)
}

/** Any JSON. Records type it as unknown; the cast is needed because a codec has exactly one type. */
export const UnknownJson = Schema.Json as Schema.Top as Schema.Codec<unknown, Schema.Json>

export const optionalTrue = Schema.optionalKey(Schema.Literal(true))
export const optionalNumber = Schema.optionalKey(Schema.Finite)
export const optionalText = Schema.optionalKey(Schema.String)
export const nullableText = Schema.NullOr(Schema.String)
