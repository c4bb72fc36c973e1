/** Reads a request body incrementally and fails as soon as it exceeds a limit. */
import * as Context from "effect/Context"
import * as Exit from "effect/Exit"
import { type InvalidRequest, RequestTooLarge } from "../../values/errors/RequestErrors.ts"
import { JsonScanner } from "../../values/json/JsonScanner.ts"
import { toInvalidBody, toTooDeep } from "../../values/json/parseJson.ts"
import { BodyBufferFull } from "../errors/HttpErrors.ts"
import type { BodyLimit } from "./BodyLimit.ts"

export interface Body {
  readonly text: string
  /** UTF-8 bytes of `text`. */
  readonly bytes: number
  /** Whether the text may contain a number that overflows a double. */
  readonly mayOverflow: boolean
}

export type BodyReaderError = BodyBufferFull | InvalidRequest | RequestTooLarge

/** Reads a body piece by piece. */
export interface PieceReader<Body> {
  /** The bytes so far. */
  readonly bytes: number
  readonly push: (piece: Uint8Array) => BodyReaderError | undefined
  /** The complete body. */
  readonly end: () => Exit.Exit<Body, BodyReaderError>
}

// Fatal: invalid UTF-8 is rejected (RFC 8259, section 8.1), not decoded with replacement characters.
const makeDecoder = () => new TextDecoder("utf-8", { fatal: true })
const wholeDecoder = makeDecoder()
const withMoreToCome = { stream: true }

export class BodyReader implements PieceReader<Body> {
  readonly #limit: BodyLimit
  readonly #scanner: JsonScanner
  readonly #reservation: BufferReservation
  readonly #declaredBytes: number | undefined
  /** Decodes characters that are split between pieces. */
  #decoder: TextDecoder | undefined
  #text = ""

  /** `declaredBytes` is the size of the body if its sender has declared it. */
  constructor(limit: BodyLimit, reservation: BufferReservation, declaredBytes?: number) {
    this.#limit = limit
    this.#reservation = reservation
    this.#declaredBytes = declaredBytes
    this.#scanner = new JsonScanner(limit.unlessNamed?.names)
  }

  get bytes(): number {
    return this.#scanner.bytes
  }

  push(piece: Uint8Array): BodyReaderError | undefined {
    const { bytes, depth, setting } = this.#limit
    if (this.bytes + piece.length > bytes) return toRequestTooLarge(bytes, setting)
    if (!this.#reservation.reserve(piece.length)) return new BodyBufferFull()
    this.#scanner.push(piece)
    if (this.#scanner.maxDepth > depth) {
      return toTooDeep(depth)
    }
    if (this.#scanner.nodes > this.#limit.nodes) return toTooManyNodes(this.#limit)
    return this.#decode(piece)
  }

  /** The complete body. */
  end(): Exit.Exit<Body, BodyReaderError> {
    const problem = this.#decodeRest()
    if (problem !== undefined) return Exit.fail(problem)
    const { bytes, mayOverflow, hasName } = this.#scanner
    const plain = this.#limit.unlessNamed
    if (plain !== undefined && bytes > plain.bytes && !hasName) {
      return Exit.fail(toRequestTooLarge(plain.bytes, plain.setting))
    }
    return Exit.succeed({ text: this.#text, bytes, mayOverflow })
  }

  #decode(piece: Uint8Array): InvalidRequest | undefined {
    const isWhole = piece.length === this.#declaredBytes && piece.length === this.bytes
    try {
      if (isWhole) this.#text = wholeDecoder.decode(piece)
      else {
        this.#decoder ??= makeDecoder()
        this.#text += this.#decoder.decode(piece, withMoreToCome)
      }
      return undefined
    } catch {
      return notUtf8
    }
  }

  /** Fails if the body ends within a character. */
  #decodeRest(): InvalidRequest | undefined {
    try {
      if (this.#decoder !== undefined) this.#text += this.#decoder.decode()
      return undefined
    } catch {
      return notUtf8
    }
  }
}

export const toRequestTooLarge = (
  limitBytes: number,
  setting: BodyLimit["setting"]
): RequestTooLarge =>
  new RequestTooLarge({ limitBytes, ...(setting === undefined ? undefined : { setting }) })

export const toTooManyNodes = ({ nodes, nodesSetting }: BodyLimit): InvalidRequest =>
  toInvalidBody(`the body has more than ${nodes} arrays, objects and keys (${nodesSetting})`)

const notUtf8 = toInvalidBody("the body is not valid UTF-8")

export interface BufferUsage {
  bytes: number
}

/** All instances of a process share one counter by default, because they share its memory. */
export const BufferedBodies: Context.Reference<BufferUsage> = Context.Reference(
  "@signalbox/core/api/body/BufferedBodies",
  { defaultValue: () => ({ bytes: 0 }) }
)

/** The buffered bytes of one request. */
export class BufferReservation {
  readonly #buffered: BufferUsage
  readonly #limitBytes: number
  #reserved = 0
  #isReleased = false

  constructor(buffered: BufferUsage, limitBytes: number) {
    this.#buffered = buffered
    this.#limitBytes = limitBytes
  }

  /** Reserves bytes. False if the total would exceed the limit, or after the release. */
  reserve(bytes: number): boolean {
    if (this.#isReleased || this.#buffered.bytes + bytes > this.#limitBytes) return false
    this.#buffered.bytes += bytes
    this.#reserved += bytes
    return true
  }

  release(): void {
    this.#isReleased = true
    this.#buffered.bytes -= this.#reserved
    this.#reserved = 0
  }
}
