/** Reads a form with files (`multipart/form-data`, RFC 7578) as it arrives, within limits. */
import * as Exit from "effect/Exit"
import * as MultipartParser from "effect/http/MultipartParser"
import { toInvalidBody } from "../../values/json/parseJson.ts"
import { BodyBufferFull } from "../errors/HttpErrors.ts"
import type { BodyLimit } from "./BodyLimit.ts"
import {
  type BodyReaderError,
  type BufferReservation,
  type PieceReader,
  toRequestTooLarge
} from "./BodyReader.ts"
import type { RequestHeaders } from "./BodyRequest.ts"

/** The limits of a form. The parser adds that the headers of a part have at most 16 KiB. */
export interface FormLimit extends Pick<BodyLimit, "bytes" | "setting"> {
  /** Of one text, by `maxBodyBytes`: some are media at `data:` addresses. */
  readonly fieldBytes: number
  /** Of one file; the same setting raises it. */
  readonly fileBytes: number
  /** Texts and files together. */
  readonly parts: number
}

/** A file of a form. */
export interface FormFile {
  /** The name of its field. */
  readonly name: string
  /** Chosen by the client; empty if it gives none. */
  readonly filename: string
  /** As the client declares it, in lower case and without parameters. */
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** A whole form. Both lists have the order in which the client sent them, and fields may be repeated. */
export interface Form {
  readonly fields: ReadonlyArray<{ readonly name: string; readonly value: string }>
  readonly files: ReadonlyArray<FormFile>
  /** Bytes of the whole body. */
  readonly bytes: number
}

/** The name of a field without the brackets by which clients mark lists: `image[]`, `image[0]`. */
export const toFieldName = (name: string): string => name.replace(/\[\d*\]$/, "")

export class FormReader implements PieceReader<Form> {
  readonly #limit: FormLimit
  readonly #reservation: BufferReservation
  readonly #parser: MultipartParser.Parser
  readonly #fields: Array<Form["fields"][number]> = []
  readonly #files: Array<FormFile> = []
  #problem: BodyReaderError | undefined
  /** The parser takes text after the last boundary for another part. */
  #isComplete = false
  #bytes = 0

  constructor(headers: RequestHeaders, limit: FormLimit, reservation: BufferReservation) {
    this.#limit = limit
    this.#reservation = reservation
    this.#parser = MultipartParser.make({
      headers: { "content-type": headers["content-type"] ?? "" },
      maxParts: limit.parts,
      maxFieldSize: limit.fieldBytes,
      isFile,
      onField: (part, value) => this.#addField(part, value),
      onFile: (part) => this.#openFile(part),
      onError: (error) => this.#fail(toProblem(error, limit)),
      onDone: () => {
        this.#isComplete = true
      }
    })
  }

  get bytes(): number {
    return this.#bytes
  }

  push(piece: Uint8Array): BodyReaderError | undefined {
    this.#bytes += piece.length
    const { bytes, setting } = this.#limit
    if (this.#bytes > bytes) return toRequestTooLarge(bytes, setting)
    if (this.#isComplete) return undefined
    if (!this.#reservation.reserve(piece.length)) return new BodyBufferFull()
    if (this.#problem === undefined) this.#parser.write(piece)
    return this.#problem
  }

  end(): Exit.Exit<Form, BodyReaderError> {
    if (this.#problem === undefined && !this.#isComplete) this.#parser.end()
    return this.#problem === undefined
      ? Exit.succeed({ fields: this.#fields, files: this.#files, bytes: this.#bytes })
      : Exit.fail(this.#problem)
  }

  #fail(problem: BodyReaderError): void {
    if (!this.#isComplete) this.#problem ??= problem
  }

  #addField({ name }: MultipartParser.PartInfo, bytes: Uint8Array): void {
    if (name === "") return this.#fail(unnamedPart)
    try {
      this.#fields.push({ name, value: decoder.decode(bytes) })
    } catch {
      this.#fail(
        toInvalidBody(`the field ${name} of the form is not valid UTF-8; a file needs a filename`)
      )
    }
  }

  #openFile(part: MultipartParser.PartInfo): (chunk: Uint8Array | null) => void {
    const { contentType, filename = "", name } = part
    if (name === "") this.#fail(unnamedPart)
    const { fileBytes, setting } = this.#limit
    const bytes = new GrowingBytes(fileBytes)
    return (chunk) => {
      if (this.#problem !== undefined) return
      if (chunk === null) {
        if (filename !== "" || bytes.size > 0) {
          this.#files.push({ name, filename, contentType, bytes: bytes.take() })
        }
      } else if (!bytes.push(chunk)) {
        this.#fail(toRequestTooLarge(fileBytes, setting))
      }
    }
  }
}

/**
 * Some clients name no file: https://www.rfc-editor.org/rfc/rfc7578#section-4.2. One without a name and without bytes is what
 * browsers send where no file was chosen: https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#constructing-form-data-set.
 */
const isFile = (part: MultipartParser.PartInfo): boolean =>
  MultipartParser.defaultIsFile(part) || /^(?:audio|image|video)\//.test(part.contentType)

/** Joins chunks as they arrive: a list of chunks of one byte would take a hundred times their size. */
class GrowingBytes {
  readonly #most: number
  #buffer = new Uint8Array(4_096)
  #size = 0

  constructor(most: number) {
    this.#most = most
  }

  get size(): number {
    return this.#size
  }

  /** Whether there is room. */
  push(chunk: Uint8Array): boolean {
    const size = this.#size + chunk.length
    if (size > this.#most) return false
    if (size > this.#buffer.length) {
      const grown = new Uint8Array(Math.min(this.#most, Math.max(size, this.#buffer.length * 2)))
      grown.set(this.#buffer.subarray(0, this.#size))
      this.#buffer = grown
    }
    this.#buffer.set(chunk, this.#size)
    this.#size = size
    return true
  }

  take(): Uint8Array<ArrayBuffer> {
    return this.#size === this.#buffer.length ? this.#buffer : this.#buffer.slice(0, this.#size)
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true })

const unnamedPart = toInvalidBody("a part of the form has no name")

const toProblem = (
  error: MultipartParser.MultipartError,
  { fieldBytes, parts }: FormLimit
): BodyReaderError => {
  switch (error._tag) {
    case "InvalidBoundary":
      return toInvalidBody(
        "the content type multipart/form-data has no boundary; let the HTTP client set the header"
      )
    case "BadHeaders":
      return toInvalidBody(`a part of the form has invalid headers (${error.error.reason})`)
    case "InvalidDisposition":
      return unnamedPart
    case "EndNotReached":
      return toInvalidBody("the form is incomplete: its last boundary is missing")
    case "ReachedLimit":
      return error.limit === "MaxParts"
        ? toInvalidBody(`the form has more than ${parts} parts`)
        : toRequestTooLarge(fieldBytes, "maxBodyBytes")
  }
}
