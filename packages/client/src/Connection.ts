/** Sends the requests of a client: headers, timeouts, retries, and answers as values, lists, streams or files. */
import { Attempt } from "./Attempt.ts"
import { findRetryDelay } from "./findRetryDelay.ts"
import { makePaged, type Paged, type PageFields } from "./Paged.ts"
import {
  checkStatus,
  type FileResponse,
  readEvents,
  readFile,
  readJson,
  readText
} from "./readAnswer.ts"
import { toRequest } from "./toRequest.ts"

/** Where the server is, and how to call it. */
export interface ClientOptions {
  /** The URL of the mount, such as `https://example.com/ai`; in browsers also a path. `/api/v1` at its end is ignored. */
  readonly baseUrl: string
  /** Sent as a bearer token. Absent: `headers`, or the cookies of the browser, say who calls. */
  readonly apiKey?: string
  /** Default: the `fetch` of the platform. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Added to every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** Milliseconds for a whole answer; for a stream until it begins, and between two reads. Default: 320 000. */
  readonly timeout?: number
  /** How many times a failed request is repeated, if that cannot run it twice. Default: 2. */
  readonly retries?: number
}

/** Options of one call, which replace the client's. */
export interface CallOptions extends Partial<Pick<ClientOptions, "timeout" | "retries">> {
  /** Aborts the call: it rejects with the reason of the signal. */
  readonly signal?: AbortSignal
  /** Added to the client's headers, such as `{ "x-signalbox-metadata": "enabled" }`. */
  readonly headers?: Readonly<Record<string, string>>
  /** Calls with the same key and input create one resource, so they are repeated after every failure. */
  readonly idempotencyKey?: string
}

type Input = object | undefined

/** What the groups of operations call. Routes are a method and a path, with the names of query parameters unless it is a GET. */
export interface Connection {
  readonly call: <A>(route: string, input: Input, options: CallOptions | undefined) => Promise<A>
  readonly list: <Item, Page extends PageFields<Item>>(
    route: string,
    input: Input,
    options: CallOptions | undefined
  ) => Paged<Page, Item>
  readonly text: (route: string, input: Input, options: CallOptions | undefined) => Promise<string>
  readonly file: (
    route: string,
    input: Input,
    options: CallOptions | undefined
  ) => Promise<FileResponse>
  /** `last`: the data or the type of the event that ends a complete stream; undefined if none does. */
  readonly stream: <A>(
    route: string,
    input: Input,
    last: string | undefined,
    options: CallOptions | undefined
  ) => AsyncIterable<A>
}

/** Throws a `RangeError` for a key that no header can carry. It requests nothing. */
export const connect = (options: ClientOptions): Connection => {
  const { apiKey } = options
  if (apiKey !== undefined && !/^[\x21-\x7E]+$/.test(apiKey)) {
    throw new RangeError("apiKey must be visible ASCII characters without spaces")
  }
  const root = options.baseUrl.replace(/\/+$/, "").replace(/\/api\/v1$/, "")

  const send = async (
    route: string,
    input: Input,
    call: CallOptions = {},
    accept = "application/json"
  ): Promise<Attempt> => {
    const { body, method, operation, url } = toRequest(route, input)
    const { idempotencyKey, signal } = call
    const headers = {
      accept,
      ...(body === undefined ? undefined : { "content-type": "application/json" }),
      ...(apiKey === undefined ? undefined : { authorization: `Bearer ${apiKey}` }),
      ...(idempotencyKey === undefined ? undefined : { "idempotency-key": idempotencyKey }),
      ...options.headers,
      ...call.headers
    }
    const { fetch = globalThis.fetch } = options
    const timeoutMillis = call.timeout ?? options.timeout ?? 320_000
    const retries = call.retries ?? options.retries ?? 2
    const isRepeatable = method !== "POST" && method !== "PATCH"
    for (let attempt = 0; ; attempt++) {
      signal?.throwIfAborted()
      const started = new Attempt({ operation, timeoutMillis, signal, apiKey })
      try {
        await started.start((abort) =>
          fetch(root + url, {
            method,
            headers,
            signal: abort,
            ...(body === undefined ? undefined : { body })
          })
        )
        await checkStatus(started)
        return started
      } catch (error) {
        const delay =
          attempt < retries
            ? findRetryDelay(error, attempt, isRepeatable || idempotencyKey !== undefined)
            : undefined
        if (delay === undefined) throw error
        await wait(delay, signal)
      }
    }
  }

  const call: Connection["call"] = async (route, input, options) =>
    readJson(await send(route, input, options))

  return {
    call,
    list: (route, input, options) => makePaged({ ...input }, (page) => call(route, page, options)),
    text: async (route, input, options) => readText(await send(route, input, options, "*/*")),
    file: async (route, input, options) => readFile(await send(route, input, options, "*/*")),
    stream: async function* (route, input, last, options) {
      yield* readEvents(await send(route, input, options, "text/event-stream"), last)
    }
  }
}

const wait = (millis: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort)
      resolve()
    }, millis)
    signal?.addEventListener("abort", onAbort, { once: true })
  })
