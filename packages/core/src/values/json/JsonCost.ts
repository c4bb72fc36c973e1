/** What JSON values cost: bytes, nodes and depth, before or without writing them. */
import { isObject } from "./guards.ts"

/** The UTF-8 bytes of the JSON of a value, computed at once; `measureJson` yields to the event loop. */
export const countJsonBytes = (value: unknown): number => countUtf8Bytes(JSON.stringify(value))

interface JsonCounts {
  /** Containers and keys. */
  readonly nodes: number
  /** The least number of UTF-8 bytes its JSON takes. */
  readonly minBytes: number
}

/**
 * Yields after every `stride` values and stops when `isEnough`. Values with `toJSON`, such as dates, count as objects.
 */
export function* countJson(
  value: unknown,
  isEnough: (counts: JsonCounts) => boolean,
  stride = 50_000
): Generator<void, JsonCounts> {
  let nodes = 0
  let minBytes = 0
  let visited = 0
  const stack: Array<Iterator<unknown>> = [[value].values()]
  while (stack.length > 0) {
    const next = stack[stack.length - 1]!.next()
    if (next.done === true) {
      stack.pop()
      continue
    }
    // Brackets, quotes, or a character and a comma; undefined is omitted.
    if (next.value !== undefined) minBytes += 2
    if (typeof next.value === "string") minBytes += next.value.length
    else if (typeof next.value === "object" && next.value !== null) {
      nodes++
      if (Array.isArray(next.value)) stack.push(next.value.values())
      else {
        nodes += Object.keys(next.value).length
        stack.push(Object.values(next.value).values())
      }
    }
    if (++visited % stride === 0) {
      if (isEnough({ nodes, minBytes })) break
      yield
    }
  }
  // A value by itself has no comma.
  return { nodes, minBytes: minBytes - 1 }
}

/** For a value that is small or has few parts. */
export const estimateMinBytes = (value: unknown): number => {
  const counting = countJson(value, () => false, Infinity)
  const step = counting.next()
  return step.done === true ? step.value.minBytes : 0
}

/** The approximate size of a JSON value in characters, names included, or of bytes: what it takes to keep it in memory. */
export const estimateSize = (value: unknown): number => {
  if (typeof value === "string") return value.length
  if (typeof value !== "object" || value === null) return scalarSize
  if (value instanceof Uint8Array) return value.length
  let size = scalarSize
  for (const name of Object.keys(value))
    size += name.length + estimateSize(Reflect.get(value, name))
  return size
}

/** A number, a comma, a pair of braces. */
const scalarSize = 4

/** UTF-8 bytes of JSON that are processed at once: each pass takes about a tenth of a millisecond. */
export const maxSyncBytes = 65_536

/** Whether a value has at most about `maxSyncBytes` as JSON; stops counting beyond that. */
export const isSmallJson = (value: unknown): boolean => subtract(maxSyncBytes, value, 0) >= 0

/** `bytes` without the fewest that `value` takes; negative when there are not so many. */
const subtract = (bytes: number, value: unknown, depth: number): number => {
  if (value === undefined) return bytes
  // Brackets, quotes, or a character and a comma.
  let left = bytes - 2
  if (typeof value === "string") return left - value.length
  // Recursion into deeper values could overflow the stack.
  if (depth === maxDepth) return -1
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length && left >= 0; i++) left = subtract(left, value[i], depth + 1)
  } else if (isObject(value)) {
    for (const key in value) {
      left = subtract(left - key.length, value[key], depth + 1)
      if (left < 0) break
    }
  }
  return left
}

const maxDepth = 500

/** No depth overflows the stack: few values nest deeper than the levels that recursion visits. */
export const isDeeperThan = (value: unknown, limit: number): boolean =>
  visit(value, Math.min(limit, recursiveLevels)) &&
  (limit <= recursiveLevels || visitByLevel(value, limit))

const recursiveLevels = 100

/** Allocates nothing. */
const visit = (value: unknown, limit: number): boolean => {
  if (!isContainer(value)) return false
  if (limit === 0) return true
  if (Array.isArray(value)) {
    for (const child of value as ReadonlyArray<unknown>) if (visit(child, limit - 1)) return true
    return false
  }
  for (const key in value) if (visit(Reflect.get(value, key), limit - 1)) return true
  return false
}

const visitByLevel = (value: unknown, limit: number): boolean => {
  let level: Array<object> | undefined = isContainer(value) ? [value] : undefined
  for (let depth = 0; level !== undefined; depth++) {
    if (depth === limit) return true
    level = listChildren(level)
  }
  return false
}

const isContainer = (value: unknown): value is object => typeof value === "object" && value !== null

/** Undefined when there are no children. */
const listChildren = (containers: ReadonlyArray<object>): Array<object> | undefined => {
  let children: Array<object> | undefined
  for (const container of containers) {
    for (const key in container) {
      const child: unknown = Reflect.get(container, key)
      if (!isContainer(child)) continue
      if (children === undefined) children = [child]
      else children.push(child)
    }
  }
  return children
}

/**
 * An overflow needs an exponent of three digits, or more than three hundred digits. The lookbehind matches only from
 * the first digit, so that long runs of digits take linear time.
 */
const overflowPattern = /(?<!\d)(?:\d+[eE]\+?\d{3}|\d{309})/

/** Whether `value`, parsed from `text`, contains an overflow; walks the value only if the text may have one. */
export const hasOverflow = (text: string, value: unknown): boolean =>
  overflowPattern.test(text) && hasInfinity(value)

/** The same for a value without its text. */
export const hasInfinity = (value: unknown): boolean => {
  const left: Array<unknown> = [value]
  while (left.length > 0) {
    const item = left.pop()
    if (item === Infinity || item === -Infinity) return true
    if (typeof item !== "object" || item === null) continue
    // A list may hold millions of numbers.
    for (const child of Array.isArray(item) ? item : Object.values(item)) {
      if (child === Infinity || child === -Infinity) return true
      if (typeof child === "object" && child !== null) left.push(child)
    }
  }
  return false
}

/** The length of a text in UTF-8; allocates no copy of the text. */
export const countUtf8Bytes = (text: string): number => {
  let bytes = 0
  for (let at = 0; at < text.length;) {
    const { read, written } = encoder.encodeInto(at === 0 ? text : text.slice(at), scratch)
    bytes += written
    at += read
  }
  return bytes
}

const encoder = new TextEncoder()

/** Overwritten by every call. */
const scratch = new Uint8Array(16_384)
