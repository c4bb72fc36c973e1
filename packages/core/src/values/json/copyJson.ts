/** Copies a value as writing it as JSON and parsing that would, without the text. */
import { setOwn } from "../ownFields.ts"
import { maxSyncBytes } from "./JsonCost.ts"

export interface JsonCopy {
  readonly json: unknown
  /** UTF-8 bytes of the text that it stands for. */
  readonly bytes: number
}

/**
 * Undefined for values that are not plain, small data, about which the text itself decides: objects of a class or with
 * `toJSON`, bigints, more than `maxDepth` levels, cycles, and texts of more than 64 KiB. What a getter throws is thrown.
 */
export const copyJson = (value: unknown, maxDepth: number): JsonCopy | undefined => {
  const copier = new Copier()
  const json = copier.copy(value, maxDepth)
  return copier.isPlain && json !== undefined ? { json, bytes: copier.bytes } : undefined
}

/** Copies one value. */
class Copier {
  bytes = 0
  isPlain = true

  /** Undefined for what JSON leaves out, and where the value is not plain. `levels`: how many containers may nest. */
  copy(value: unknown, levels: number): unknown {
    switch (typeof value) {
      case "string":
        this.#add(countTextBytes(value))
        return value
      case "number":
        return this.#copyNumber(value)
      case "boolean":
        this.bytes += value ? 4 : 5
        return value
      case "object":
        return value === null ? this.#copyNull() : this.#copyContainer(value, levels)
      case "bigint":
        this.isPlain = false
        return undefined
      case "function":
      case "symbol":
      case "undefined":
        return undefined
    }
  }

  #add(bytes: number): void {
    this.bytes += bytes
    if (this.bytes > maxSyncBytes) this.isPlain = false
  }

  #copyNull(): null {
    this.bytes += 4
    return null
  }

  #copyNumber(value: number): number | null {
    if (!Number.isFinite(value)) return this.#copyNull()
    this.bytes += String(value).length
    // JSON writes -0 as 0.
    return value === 0 ? 0 : value
  }

  #copyContainer(value: object, levels: number): unknown {
    if (levels === 0 || hasToJson(value)) this.isPlain = false
    if (!this.isPlain) return undefined
    // The brackets.
    this.#add(2)
    const prototype: unknown = Object.getPrototypeOf(value)
    if (Array.isArray(value) && prototype === Array.prototype) {
      return this.#copyList(value, levels - 1)
    }
    if (prototype === Object.prototype || prototype === null) {
      return this.#copyFields(value, levels - 1)
    }
    this.isPlain = false
    return undefined
  }

  // Copies as a whole, of which few values change, make less garbage than those that grow.

  #copyList(list: ReadonlyArray<unknown>, levels: number): ReadonlyArray<unknown> {
    const copied: Array<unknown> = [...list]
    for (let at = 0; at < copied.length && this.isPlain; at++) {
      if (at > 0) this.#add(1)
      const item = copied[at]
      const json = this.copy(item, levels)
      copied[at] = json === undefined ? this.#copyNull() : json
    }
    return copied
  }

  #copyFields(fields: object, levels: number): Readonly<Record<string, unknown>> {
    const copied: Record<string, unknown> = { ...fields }
    let isFirst = true
    let hasOmitted = false
    for (const name of Object.keys(copied)) {
      const field = copied[name]
      const json = this.copy(field, levels)
      if (!this.isPlain) return copied
      if (json === undefined) {
        hasOmitted = true
        continue
      }
      // The colon, and the comma before all but the first.
      this.#add(countTextBytes(name) + (isFirst ? 1 : 2))
      isFirst = false
      if (!Object.is(json, field)) copied[name] = json
    }
    return hasOmitted ? omitOthers(copied) : copied
  }
}

/** Without what JSON leaves out. */
const omitOthers = (
  copied: Readonly<Record<string, unknown>>
): Readonly<Record<string, unknown>> => {
  const fields: Record<string, unknown> = {}
  for (const name of Object.keys(copied)) {
    const field = copied[name]
    if (field !== undefined && typeof field !== "function" && typeof field !== "symbol") {
      setOwn(fields, name, field)
    }
  }
  return fields
}

const hasToJson = (value: object): boolean =>
  "toJSON" in value && typeof value.toJSON === "function"

/** UTF-8 bytes of a text in JSON, quotes included. */
const countTextBytes = (text: string): number => {
  let bytes = text.length + 2
  for (let at = 0; at < text.length; at++) bytes += countMore(text, at)
  return bytes
}

/** How many bytes more than one a UTF-16 code unit takes. */
const countMore = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  if (unit >= 0x20 && unit < 0x80) return unit === 0x22 || unit === 0x5c ? 1 : 0
  if (unit < 0x20) return shortEscapes.has(unit) ? 1 : 5
  if (unit < 0x800) return 1
  if (unit < 0xd800 || unit > 0xdfff) return 2
  // Both halves of a pair take two bytes each; a half by itself is escaped.
  return isPaired(text, at, unit) ? 1 : 5
}

/** Backspace, tab, line feed, form feed, carriage return. */
const shortEscapes: ReadonlySet<number> = new Set([0x08, 0x09, 0x0a, 0x0c, 0x0d])

const isPaired = (text: string, at: number, unit: number): boolean => {
  if (unit < 0xdc00) {
    const next = text.charCodeAt(at + 1)
    return next >= 0xdc00 && next <= 0xdfff
  }
  const previous = text.charCodeAt(at - 1)
  return previous >= 0xd800 && previous <= 0xdbff
}
