/** Whether a value is small enough to be processed at once. */
import { isObject } from "./isObject.ts"

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
