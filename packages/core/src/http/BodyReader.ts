/** Takes a request body piece by piece, and says as soon as it is more than it may be. */
import { JsonScanner } from "../values/JsonScanner.ts"
import { InvalidRequest, RequestTooLarge } from "../values/RequestErrors.ts"
import type { BodyLimit } from "./BodyLimit.ts"
import type { Share } from "./BufferedBodies.ts"
import { BodiesCrowded } from "./HttpErrors.ts"

export interface Body {
  readonly text: string
  /** UTF-8 bytes of `text`. */
  readonly bytes: number
  /** Whether it may hold a number that a double cannot. */
  readonly mayOverflow: boolean
}

export type BodyProblem = BodiesCrowded | InvalidRequest | RequestTooLarge

export class BodyReader {
  readonly #limit: BodyLimit
  readonly #scanner: JsonScanner
  readonly #share: Share
  // What is no UTF-8 is refused (RFC 8259, 8.1) rather than judged with holes in it.
  readonly #decoder = new TextDecoder("utf-8", { fatal: true })
  #text = ""

  constructor(limit: BodyLimit, share: Share) {
    this.#limit = limit
    this.#share = share
    this.#scanner = new JsonScanner(limit.unlessNamed?.names)
  }

  get bytes(): number {
    return this.#scanner.bytes
  }

  push(piece: Uint8Array): BodyProblem | undefined {
    const { bytes, depth, setting } = this.#limit
    if (this.bytes + piece.length > bytes) return tooLarge(bytes, setting)
    if (!this.#share.take(piece.length)) return new BodiesCrowded()
    this.#scanner.push(piece)
    if (this.#scanner.deepest > depth) {
      return invalid(`the body nests deeper than ${depth} levels`)
    }
    if (this.#scanner.nodes > this.#limit.nodes) return tooManyNodes(this.#limit)
    return this.#decode(piece)
  }

  /** What arrived, as a whole. */
  end(): Body | BodyProblem {
    const problem = this.#decode()
    if (problem !== undefined) return problem
    const { bytes, mayOverflow, namesOne } = this.#scanner
    const plain = this.#limit.unlessNamed
    if (plain !== undefined && bytes > plain.bytes && !namesOne) {
      return tooLarge(plain.bytes, plain.setting)
    }
    return { text: this.#text, bytes, mayOverflow }
  }

  #decode(piece?: Uint8Array): InvalidRequest | undefined {
    try {
      this.#text += this.#decoder.decode(piece, { stream: piece !== undefined })
      return undefined
    } catch {
      return invalid("the body is not valid UTF-8")
    }
  }
}

export const tooLarge = (limitBytes: number, setting: BodyLimit["setting"]): RequestTooLarge =>
  new RequestTooLarge({ limitBytes, ...(setting === undefined ? undefined : { setting }) })

export const tooManyNodes = ({ nodes, nodesSetting }: BodyLimit): InvalidRequest =>
  invalid(`the body has more than ${nodes} arrays, objects and keys (${nodesSetting})`)

const invalid = (problem: string): InvalidRequest => new InvalidRequest({ path: [], problem })
