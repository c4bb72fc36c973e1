/** Checks that a reply has one vector for each input, all of the right length, and puts them in order. */
import * as Result from "effect/Result"
import * as Base64 from "effect/encoding/Base64"
import type {
  IndexedVector,
  VectorEncoding
} from "../../../engine/upstreams/EmbeddingCapability.ts"

/** What the vectors of a reply must be. */
export interface ExpectedVectors {
  /** The number of inputs. */
  readonly count: number
  readonly encoding: VectorEncoding
  /** The length of each; absent: the same for all. */
  readonly dimensions?: number | undefined
}

/** The vectors of a whole reply, in the order of the inputs. */
export interface CheckedVectors {
  readonly vectors: ReadonlyArray<Vector>
  /** The length of each. */
  readonly dimensions: number
}

/**
 * Clients use the order of the answer, so a missing vector would shift all that follow it. A vector of another length
 * belongs to another space. Fails with what is wrong.
 */
export const checkVectors = (
  indexed: ReadonlyArray<IndexedVector>,
  { count, dimensions: wanted, encoding }: ExpectedVectors
): Result.Result<CheckedVectors, string> => {
  if (indexed.length !== count) {
    return Result.fail(`${indexed.length} vectors for ${count} inputs`)
  }
  const vectors = Array.from<unknown, Vector | undefined>({ length: count }, () => undefined)
  let dimensions = wanted
  for (const { index, vector } of indexed) {
    if (!Number.isSafeInteger(index) || index < 0 || index >= count) {
      return Result.fail("a vector of no input")
    }
    if (vectors[index] !== undefined) return Result.fail(`two vectors for input ${index}`)
    const length = measureVector(vector)
    if (length === undefined || length === 0) {
      return Result.fail(`the vector of input ${index} is not one of numbers`)
    }
    dimensions ??= length
    if (length !== dimensions) {
      return Result.fail(`a vector of ${length} numbers in place of ${dimensions}`)
    }
    const converted = convert(vector, encoding)
    if (converted === undefined) {
      return Result.fail(`the vector of input ${index} is not one of numbers`)
    }
    vectors[index] = converted
  }
  return Result.succeed({
    // As many vectors as inputs, and no index twice: so none is missing.
    vectors: vectors as ReadonlyArray<Vector>,
    dimensions: dimensions ?? 0
  })
}

/** The length of a vector; undefined when it holds anything but finite numbers. */
const measureVector = (vector: IndexedVector["vector"]): number | undefined =>
  typeof vector === "string"
    ? countNumbers(vector)
    : vector.every(isFiniteNumber)
      ? vector.length
      : undefined

const isFiniteNumber = (value: unknown): boolean => Number.isFinite(value)

/** A greater number would become an infinite one. */
const fitsFloat32 = (value: number): boolean => Number.isFinite(Math.fround(value))

/** A vector in the right form stays as the provider sent it. */
const convert = (vector: IndexedVector["vector"], encoding: VectorEncoding): Vector | undefined => {
  if (encoding === "base64") {
    if (typeof vector === "string") return vector
    return vector.every(fitsFloat32) ? encodeVector(vector) : undefined
  }
  if (typeof vector !== "string") return vector
  const numbers = decodeVector(vector)
  return numbers?.every(isFiniteNumber) === true ? numbers : undefined
}

const bytesPerNumber = 4

/** Vectors as base64 of little-endian float32, the compact form of OpenAI's API, and back. */
export const encodeVector = (numbers: ReadonlyArray<number>): string => {
  const view = new DataView(new ArrayBuffer(numbers.length * bytesPerNumber))
  for (let at = 0; at < numbers.length; at++) {
    view.setFloat32(at * bytesPerNumber, numbers[at]!, true)
  }
  return Base64.encode(new Uint8Array(view.buffer))
}

/** Undefined for text that is not base64 of whole float32. */
export const decodeVector = (text: string): ReadonlyArray<number> | undefined => {
  if (countNumbers(text) === undefined) return undefined
  const decoded = Base64.decode(text)
  if (Result.isFailure(decoded)) return undefined
  const { buffer, byteLength, byteOffset } = decoded.success
  const view = new DataView(buffer, byteOffset, byteLength)
  return Array.from({ length: byteLength / bytesPerNumber }, (_, at) =>
    view.getFloat32(at * bytesPerNumber, true)
  )
}

/** The length of the vector in `text`, without decoding it; undefined for text of the wrong form. */
export const countNumbers = (text: string): number | undefined => {
  if (text.length % 4 !== 0 || !base64.test(text)) return undefined
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0
  const numbers = ((text.length / 4) * 3 - padding) / bytesPerNumber
  return Number.isInteger(numbers) ? numbers : undefined
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/

/** The vector of one input in the form that the caller gets: numbers, or base64 of little-endian float32. */
export type Vector = ReadonlyArray<number> | string
