/** Parses JSON of requests within bounds: of calls in process here, of bodies as they arrive in `api/body/readBody.ts`. */
import * as Effect from "effect/Effect"
import * as Result from "effect/Result"
import * as Step from "../Step.ts"
import { InvalidRequest } from "../errors/RequestErrors.ts"
import { setOwn } from "../ownFields.ts"
import { countUtf8Bytes, hasOverflow, isDeeperThan, maxSyncBytes } from "./JsonCost.ts"
import { yieldForBytes } from "./yieldToEventLoop.ts"

/** Rejects invalid JSON, nesting deeper than `maxDepth`, and numbers that overflow a double. */
export const parseJson = (
  text: string,
  maxDepth: number
): Result.Result<unknown, InvalidRequest> => {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    return Result.fail(invalidJson)
  }
  // A level costs two characters at least.
  if (text.length > 2 * maxDepth && isDeeperThan(json, maxDepth)) {
    return Result.fail(toTooDeep(maxDepth))
  }
  return hasOverflow(text, json) ? Result.fail(tooLargeNumber) : Result.succeed(json)
}

export const toInvalidBody = (problem: string): InvalidRequest =>
  new InvalidRequest({ path: [], problem })

export const invalidJson = toInvalidBody("the body is not valid JSON")

export const toTooDeep = (maxDepth: number): InvalidRequest =>
  toInvalidBody(`the body nests deeper than ${maxDepth} levels`)

export const tooLargeNumber = toInvalidBody("the body has a number that is too large")

interface RequestJson {
  readonly json: unknown
  /** UTF-8 bytes of its text. */
  readonly bytes: number
}

/** Copies a request of a call in process, as if it had been written as JSON and parsed. Yields after a large one. */
export const copyRequest = (
  request: unknown,
  maxDepth: number
): Effect.Effect<RequestJson, InvalidRequest> => {
  let copied: RequestJson | undefined
  try {
    copied = copyJson(request, maxDepth)
  } catch {
    // A getter has thrown, as it does again.
  }
  if (copied !== undefined) return Effect.succeed(copied)
  return Step.flatMap(stringifyRequest(request), ({ bytes, text }) =>
    Effect.fromResult(Result.map(parseJson(text, maxDepth), (json) => ({ json, bytes })))
  )
}

interface RequestText {
  readonly text: string
  /** UTF-8 bytes of the text. */
  readonly bytes: number
}

/** Yields to the event loop after a large request. */
export const stringifyRequest = (request: unknown): Effect.Effect<RequestText, InvalidRequest> => {
  let text: string
  try {
    // A value without JSON text fails later like any request that is not an object.
    const written: string | undefined = JSON.stringify(request)
    text = written ?? "null"
  } catch {
    return Effect.fail(toInvalidBody("the request cannot be written as JSON"))
  }
  const bytes = countUtf8Bytes(text)
  return Step.map(yieldForBytes(bytes), () => ({ text, bytes }))
}

interface JsonCopy {
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
