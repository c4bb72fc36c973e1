/** Sends one request for JSON to an upstream, bounded in time and size, and classifies failures. */
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import type * as Result from "effect/Result"
import * as Tracer from "effect/Tracer"
import { Settings, type SettingsShape } from "../../../instance/Settings.ts"
import { encodeJson } from "../../../values/json/encodeJson.ts"
import { isSmallJson } from "../../../values/json/JsonCost.ts"
import { UpstreamFailure } from "../failures/UpstreamFailure.ts"
import { getTransport } from "./makeHttpClientTransport.ts"
import { type SignedRequest, signRequest } from "./signRequest.ts"
import { type ExchangeListener, type RunningExchange, startExchange } from "./startExchange.ts"
import { readFailure, toHeaders, toJsonHeaders, type UpstreamRequest } from "./UpstreamRequest.ts"
import type { TransportHeaders, TransportRequest } from "./UpstreamTransport.ts"
import { evaluate, isSuccess as isSuccessful } from "../../../values/eager.ts"
import {
  type AnyEffect,
  type AnyExit,
  type Interruptable,
  Pending,
  type PendingRun,
  withContext
} from "../../../values/Pending.ts"
import { Following } from "../../../values/pendingSteps.ts"
import * as Step from "../../../values/Step.ts"

/** A request whose body is JSON. */
export interface JsonRequest extends UpstreamRequest {
  /** Anything that `JSON.stringify` accepts. */
  readonly body: unknown
}

/** A request whose body is a form. */
export interface FormRequest extends UpstreamRequest {
  /** Values by the names of their fields. */
  readonly form: Readonly<Record<string, FormValue | ReadonlyArray<FormValue>>>
}

type FormValue = string | FormFile

/** A file of a form. */
export interface FormFile {
  readonly name: string
  /** Such as `image/png`. */
  readonly contentType: string
  readonly bytes: Uint8Array
}

/**
 * Posts `request` and returns the JSON of a 2xx answer, as `read` understands it. Everything else is an
 * `UpstreamFailure`. Nothing is retried, and redirects are not followed. It waits without a fiber, and so does what
 * `read` makes of the answer.
 */
export function postJson(request: JsonRequest): JsonExchange
export function postJson<A>(request: JsonRequest, read: JsonReader<A>): Exchange<A>
export function postJson(request: JsonRequest, read?: JsonReader<unknown>): JsonExchange {
  const posting = post(request)
  return read === undefined ? posting : new ReadJson(posting, read)
}

/** What the JSON of an answer means. */
export type JsonReader<A> = (
  json: unknown,
  settings: SettingsShape
) => Result.Result<A, UpstreamFailure>

class ReadJson<A> extends Following<
  unknown,
  UpstreamFailure,
  HttpClient.HttpClient,
  A,
  UpstreamFailure,
  never
> {
  readonly #read: JsonReader<A>

  constructor(posting: PendingJson, read: JsonReader<A>) {
    super(posting)
    this.#read = read
  }

  next(exit: AnyExit, { context, interruption }: PendingRun): AnyEffect {
    if (interruption !== undefined) return interruption
    if (exit._tag === "Failure") return exit
    return evaluate(() => Effect.fromResult(this.#read(exit.value, Context.get(context, Settings))))
  }
}

const post = (request: JsonRequest): PendingJson =>
  withContext((context) =>
    Step.flatMap(encodeBody(request), (body) =>
      exchange(
        context,
        request,
        {
          method: "POST",
          url: request.url,
          headers: toJsonHeaders(request),
          body
        },
        parseAnswer
      )
    )
  )

/** Large bodies are serialized in steps, so that they do not block the event loop. */
export const encodeBody = ({ body }: JsonRequest): Effect.Effect<string | Uint8Array> =>
  isSmallJson(body) ? Effect.succeed(JSON.stringify(body) ?? "") : encodeJson(body)

/** Like `postJson`, with a form (`multipart/form-data`) as the body. */
export const postForm = (request: FormRequest): JsonExchange =>
  withContext((context) =>
    exchange(
      context,
      request,
      {
        method: "POST",
        url: request.url,
        headers: toHeaders(request),
        body: toFormData(request)
      },
      parseAnswer
    )
  )

/** The body of a request that is a form. */
export const toFormData = (request: Pick<FormRequest, "form">): FormData => {
  const form = new FormData()
  for (const [name, given] of Object.entries(request.form)) {
    for (const value of Array.isArray(given) ? given : [given]) {
      if (typeof value === "string") form.append(name, value)
      else {
        const { bytes, contentType, name: fileName } = value
        // A blob copies what it is made of.
        const part = isOwned(bytes) ? bytes : new Uint8Array(bytes)
        form.append(name, new Blob([part], { type: contentType }), fileName)
      }
    }
  }
  return form
}

const isOwned = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> =>
  bytes.buffer instanceof ArrayBuffer

/** Like `postJson`, with GET. */
export const getJson = (request: UpstreamRequest): JsonExchange => sendWithoutBody("GET", request)

/** Like `getJson`, with the length of the text, for a caller that bounds the sum of several answers. */
export const getSizedJson = (
  request: UpstreamRequest
): Effect.Effect<SizedJson, UpstreamFailure, HttpClient.HttpClient> =>
  withContext((context) =>
    exchange(
      context,
      request,
      { method: "GET", url: request.url, headers: toHeaders(request) },
      (status, text) =>
        Effect.map(parseAnswer(status, text), (json) => ({ json, characters: text.length }))
    )
  )

interface SizedJson {
  readonly json: unknown
  readonly characters: number
}

/** Like `postJson`, with DELETE. */
export const deleteJson = (request: UpstreamRequest): JsonExchange =>
  sendWithoutBody("DELETE", request)

type Exchange<A> = Effect.Effect<A, UpstreamFailure, HttpClient.HttpClient>

type JsonExchange = Exchange<unknown>
type PendingJson = Pending<unknown, UpstreamFailure, HttpClient.HttpClient>

const sendWithoutBody = (method: "DELETE" | "GET", request: UpstreamRequest): JsonExchange =>
  withContext((context) =>
    exchange(
      context,
      request,
      { method, url: request.url, headers: toHeaders(request) },
      parseAnswer
    )
  )

const exchange = <A>(
  context: Context.Context<never>,
  request: UpstreamRequest,
  unsigned: TransportRequest,
  parse: ParseAnswer<A>
): Effect.Effect<A, UpstreamFailure> => {
  const settings = Context.get(context, Settings)
  const clock = Context.get(context, Clock.Clock)
  const signing = signRequest(request, unsigned, settings, clock)
  return isSuccessful(signing)
    ? new SignedExchange(request, signing.value, parse)
    : Step.flatMap(signing, (signed) => new SignedExchange(request, signed, parse))
}

/** Sends a request that is complete. */
class SignedExchange<A> extends Pending<A, UpstreamFailure> {
  readonly #request: UpstreamRequest
  readonly #signed: SignedRequest
  readonly #parse: ParseAnswer<A>

  constructor(request: UpstreamRequest, signed: SignedRequest, parse: ParseAnswer<A>) {
    super()
    this.#request = request
    this.#signed = signed
    this.#parse = parse
  }

  begin(run: PendingRun): AnyEffect | undefined {
    return new JsonListener(this.#request, this.#signed, this.#parse, run).start()
  }
}

/** What a 2xx answer is, from its redacted text. */
type ParseAnswer<A> = (status: number, text: string) => Effect.Effect<A, UpstreamFailure>

/** Parses the answer of one exchange. */
class JsonListener<A> implements ExchangeListener, Interruptable {
  readonly #request: UpstreamRequest
  readonly #signed: SignedRequest
  readonly #parse: ParseAnswer<A>
  readonly #run: PendingRun
  #exchange: RunningExchange | undefined = undefined
  /** The answer while it begins. */
  #early: Effect.Effect<A, UpstreamFailure> | undefined = undefined
  #isOver = false

  constructor(
    request: UpstreamRequest,
    signed: SignedRequest,
    parse: ParseAnswer<A>,
    run: PendingRun
  ) {
    this.#request = request
    this.#signed = signed
    this.#parse = parse
    this.#run = run
  }

  /** The answer if it is there at once. */
  start(): Effect.Effect<A, UpstreamFailure> | undefined {
    const { context } = this.#run
    this.#exchange = startExchange(
      getTransport(context, Context.get(context, Tracer.Tracer)),
      this.#signed.signed,
      Context.get(context, Settings),
      Context.get(context, Clock.Clock),
      context,
      this
    )
    if (!this.#isOver) this.#run.onInterrupt(this)
    return this.#early
  }

  onAnswer(status: number, headers: TransportHeaders, text: string): void {
    if (!isSuccess(status)) return this.#failWithStatus(status, headers, text)
    this.#end(this.#parse(status, this.#signed.redactor.redactJson(text)))
  }

  onFailure(failure: UpstreamFailure, status?: number, headers: TransportHeaders = {}): void {
    // The status is enough when the body cannot be read.
    if (status === undefined || isSuccess(status)) this.#end(Effect.fail(failure))
    else this.#failWithStatus(status, headers, "")
  }

  interrupt(): void {
    const { interruption } = this.#run
    if (this.#isOver || interruption === undefined) return
    this.#isOver = true
    this.#exchange?.abort()
    this.#run.resume(interruption)
  }

  #failWithStatus(status: number, headers: TransportHeaders, text: string): void {
    const { redactor, signature } = this.#signed
    const now = Context.get(this.#run.context, Clock.Clock).currentTimeMillisUnsafe()
    const answer = redactor.redactJson(text)
    // Readers of failures are the code of an upstream.
    const failing = evaluate(() =>
      Effect.fail(readFailure(this.#request, signature, status, headers, answer, now))
    )
    this.#end(failing)
  }

  #end(answer: Effect.Effect<A, UpstreamFailure>): void {
    if (this.#isOver) return
    this.#isOver = true
    if (this.#exchange === undefined) this.#early = answer
    else this.#run.resume(answer)
  }
}

const isSuccess = (status: number): boolean => status >= 200 && status <= 299

const parseAnswer = (status: number, text: string): Effect.Effect<unknown, UpstreamFailure> => {
  try {
    return Effect.succeed<unknown>(JSON.parse(text))
  } catch {
    const detail = text === "" ? "the answer is empty" : "the answer is not JSON"
    return Effect.fail(new UpstreamFailure({ kind: "invalid_answer", status, detail }))
  }
}
