/** One attempt of a request: its timeout, its signal, and the conversion of `fetch` failures to the client's errors. */
import { ConnectionError, type FailedCall, TimeoutError } from "./ClientError.ts"
import { isObject } from "./parseErrorFacts.ts"

export interface AttemptOptions {
  /** The method and the path of the contract. */
  readonly operation: string
  readonly timeoutMillis: number
  readonly signal: AbortSignal | undefined
  readonly apiKey: string | undefined
}

/** Timers that are longer, such as `Infinity`, end at once. */
const longestTimerMillis = 2 ** 31 - 1

export class Attempt {
  readonly #options: AttemptOptions
  readonly #controller = new AbortController()
  readonly #onAbort = (): void => this.abort()
  #response: Response | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isLate = false

  constructor(options: AttemptOptions) {
    this.#options = options
    options.signal?.addEventListener("abort", this.#onAbort)
    this.startTimer()
  }

  async start(fetch: (signal: AbortSignal) => Promise<Response>): Promise<void> {
    this.#response = await this.run(() => fetch(this.#controller.signal))
  }

  /** Throws unless the attempt has been started. */
  get response(): Response {
    if (this.#response === undefined) throw new Error("The attempt has no response yet")
    return this.#response
  }

  async run<A>(read: () => Promise<A>): Promise<A> {
    const { signal, timeoutMillis } = this.#options
    try {
      return await read()
    } catch (cause) {
      this.end()
      signal?.throwIfAborted()
      if (this.#isLate) throw new TimeoutError(timeoutMillis, this.toCall())
      // Without the cause: what platforms write into it may be a header, or a URL with a password.
      throw new ConnectionError(findCode(cause), this.toCall())
    }
  }

  startTimer(): void {
    this.stopTimer()
    this.#timer = setTimeout(
      () => {
        this.#isLate = true
        this.abort()
      },
      Math.min(this.#options.timeoutMillis, longestTimerMillis)
    )
  }

  stopTimer(): void {
    clearTimeout(this.#timer)
  }

  abort(): void {
    this.#controller.abort()
  }

  /** Nothing more is read. */
  end(): void {
    this.stopTimer()
    this.#options.signal?.removeEventListener("abort", this.#onAbort)
  }

  /** `event` may have the id of a generation that the headers do not have. */
  toCall(event?: unknown): FailedCall {
    const headers = this.#response?.headers
    return {
      operation: this.#options.operation,
      requestId: headers?.get("x-request-id") ?? undefined,
      generationId:
        headers?.get("x-generation-id") ??
        (isObject(event) && typeof event["id"] === "string" ? event["id"] : undefined)
    }
  }

  /** Removes the key from JSON: a server or a proxy might repeat what it was sent. */
  redact(json: string): string {
    const { apiKey } = this.#options
    return apiKey === undefined
      ? json
      : json.replaceAll(JSON.stringify(apiKey).slice(1, -1), "[redacted]")
  }
}

/** Node has the code of the system in the cause. */
const findCode = (cause: unknown): string | undefined => {
  if (!(cause instanceof Error)) return undefined
  return "code" in cause && typeof cause.code === "string" ? cause.code : findCode(cause.cause)
}
