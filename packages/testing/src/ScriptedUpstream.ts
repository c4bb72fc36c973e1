/** A model provider for tests: an HTTP server on loopback that plays a script and records its requests. */
import { once } from "node:events"
import * as http from "node:http"
import * as https from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { toResponse } from "./toResponse.ts"
import { findDialect, findPathModel } from "./Dialect.ts"
import { toScriptErrorResponse } from "./toErrorResponse.ts"
import { dropConnection, Exchange } from "./Exchange.ts"
import { findFormField } from "./findFormField.ts"
import { Gate } from "./Gate.ts"
import { getProperty } from "./getProperty.ts"
import { findRefusal } from "./quirks/quirks.ts"
import type { RefusesQuirk } from "./quirks/Quirk.ts"
import type { QuirkProvider } from "./quirks/quirkProviders.ts"
import type { RecordedRequest } from "./RecordedRequest.ts"
import { reserveRefusingUrl } from "./reserveRefusingUrl.ts"
import { decision } from "./reply.ts"
import { Script, type Scripted } from "./Script.ts"
import { makeJsonResponse } from "./ScriptedResponse.ts"
import type { ScriptedVideos } from "./ScriptedVideos.ts"
import { selfSignedCertificate } from "./selfSignedCertificate.ts"
import type { ExchangePhase, Step } from "./Step.ts"
import { WaitableLog } from "./WaitableLog.ts"
import { VideoJobs } from "./VideoJobs.ts"

interface ScriptRoute {
  readonly matches: (request: RecordedRequest) => boolean
  readonly script: Script
}

/** A request that a server refused, and the row by which it did. */
export interface Refusal {
  readonly request: RecordedRequest
  readonly quirk: RefusesQuirk
}

/** How a server plays a provider. */
export interface ScriptedUpstreamOptions {
  /** Whether it has a self-signed certificate. */
  readonly tls?: boolean
  /**
   * The provider in the table of quirks whose refusals it has, or false for none. Default: Anthropic's for its messages, OpenAI's
   * for responses and Gemini's for Google's API. A refused request does not take a step.
   */
  readonly quirks?: QuirkProvider | false
}

type Recorded = { -readonly [K in keyof RecordedRequest]: RecordedRequest[K] }

/**
 * Serves Decisions (`POST /api/alpha/decisions`), OpenAI's chat completions (`POST /v1/chat/completions`) and responses
 * (`POST /v1/responses`), Anthropic's messages (`POST /v1/messages`), Google's API (`POST …/models/{model}:generateContent`),
 * OpenAI's embeddings (`POST /v1/embeddings`), reranks of Cohere (`POST /v2/rerank`), Jina (`POST /v1/rerank`), Voyage
 * (`POST /voyage/v1/rerank`) and OpenRouter (`POST /api/v1/rerank`), images of OpenAI
 * (`POST /v1/images/generations`, `/v1/images/edits`), OpenRouter (`POST /api/v1/images`) and Imagen (`:predict`), and the videos of OpenRouter's API (`/api/v1/videos`), of OpenAI's (`/v1/videos`) and of Vertex AI. A request gets the step of the newest matching script
 * of `when` or `forModel`, else of the server's script, else a correct answer.
 */
export class ScriptedUpstream implements Scripted, AsyncDisposable {
  /** The root URL of all APIs, without a trailing slash. */
  readonly url: string
  /** The self-signed certificate (PEM), for a client that should trust it; `undefined` without TLS. */
  readonly certificate: string | undefined
  /** The video jobs, and the statuses of their polls. */
  readonly videos: ScriptedVideos

  readonly #server: http.Server
  readonly #jobs = new VideoJobs()
  readonly #connections = new Set<Socket>()
  #accepted = 0
  readonly #script = new Script()
  readonly #routes: Array<ScriptRoute> = []
  readonly #models = new Map<string, Scripted>()
  readonly #received = new WaitableLog<RecordedRequest>("requests")
  readonly #refusals: Array<Refusal> = []
  readonly #quirks: QuirkProvider | false | undefined
  readonly #aborted = new WaitableLog<RecordedRequest>("aborted requests")
  readonly #exchanges = new Set<Promise<void>>()
  #closing: Promise<void> | undefined

  /** Listens on a free port of 127.0.0.1. */
  static async start(options: ScriptedUpstreamOptions = {}): Promise<ScriptedUpstream> {
    const certificate = options.tls === true ? selfSignedCertificate() : undefined
    const server = certificate === undefined ? http.createServer() : https.createServer(certificate)
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    return new ScriptedUpstream(server, certificate?.cert, options.quirks)
  }

  /** The address of a port that refuses connections. */
  static readonly reserveRefusingUrl: () => Promise<string> = reserveRefusingUrl

  private constructor(
    server: http.Server,
    certificate: string | undefined,
    quirks: QuirkProvider | false | undefined
  ) {
    this.#quirks = quirks
    const { port } = server.address() as AddressInfo
    this.url = `http${certificate === undefined ? "" : "s"}://127.0.0.1:${port}`
    this.certificate = certificate
    this.videos = this.#jobs
    this.#server = server
    // Only the script may end an exchange or a connection, so Node's timeouts are off.
    server.requestTimeout = 0
    server.headersTimeout = 0
    server.keepAliveTimeout = 0
    server.on("connection", (socket) => this.#accept(socket))
    server.on("request", (request, response) => {
      const exchange = this.#exchange(request, response)
      this.#exchanges.add(exchange)
      void exchange.finally(() => this.#exchanges.delete(exchange))
    })
  }

  script(...steps: ReadonlyArray<Step>): void {
    this.#script.script(...steps)
  }

  always(step: Step): void {
    this.#script.always(step)
  }

  /** The script of requests for this model. A second call returns the same script. */
  forModel(model: string): Scripted {
    const script = this.#models.get(model) ?? this.when((request) => request.model === model)
    this.#models.set(model, script)
    return script
  }

  /** A new script of the matching requests, at any path. */
  when(matches: (request: RecordedRequest) => boolean): Scripted {
    const script = new Script()
    this.#routes.unshift({ matches, script })
    return script
  }

  /** A gate for `pace.hold` and for the waits inside streams. */
  gate(): Gate {
    return new Gate()
  }

  /** All requests in the order of arrival, including dropped and aborted ones. */
  get requests(): ReadonlyArray<RecordedRequest> {
    return this.#received.things
  }

  /** The requests that were refused by the table of quirks, in the order of arrival. */
  get refusals(): ReadonlyArray<Refusal> {
    return this.#refusals
  }

  /** The number of accepted connections, including dropped ones. */
  get connections(): number {
    return this.#accepted
  }

  /** Resolves to the first `count` requests; rejects if the server closes before that. */
  waitForRequests(count: number): Promise<ReadonlyArray<RecordedRequest>> {
    return this.#received.waitForCount(count)
  }

  /** Resolves to the first `count` requests whose client disconnected early; rejects like `waitForRequests`. */
  waitForAborts(count: number): Promise<ReadonlyArray<RecordedRequest>> {
    return this.#aborted.waitForCount(count)
  }

  /** Ends every exchange at once. May be called more than once. */
  close(): Promise<void> {
    this.#closing ??= this.#close()
    return this.#closing
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    const closed = once(this.#server, "close")
    this.#server.close()
    this.#server.closeAllConnections()
    // `closeAllConnections` omits TLS clients before their handshake.
    for (const socket of this.#connections) socket.destroy()
    this.#received.end()
    this.#aborted.end()
    await closed
    await Promise.all(this.#exchanges)
  }

  #accept(socket: Socket): void {
    this.#accepted++
    this.#connections.add(socket)
    socket.once("close", () => this.#connections.delete(socket))
    const how = this.#dueDrop("accept")
    if (how !== undefined) dropConnection(socket, how)
  }

  async #exchange(request: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
    let record: Recorded | undefined
    let abandoned = false
    const exchange = new Exchange(request, response, () => {
      abandoned = this.#closing === undefined
      if (record !== undefined && abandoned) this.#abandon(record)
    })
    // A kept-alive connection is already accepted, so the drop happens at its next request.
    const how = this.#dueDrop("accept", "request_headers")
    if (how !== undefined) {
      this.#record(request, "")
      return exchange.drop(how)
    }
    const raw = await exchange.read()
    record = this.#record(request, raw)
    if (abandoned) this.#abandon(record)
    if (!request.complete) return
    const dialect = findDialect(record.method, record.path)
    const quirk = this.#quirks === false ? undefined : findRefusal(this.#quirks, dialect, record)
    if (quirk !== undefined) {
      this.#refusals.push({ request: record, quirk })
      return exchange.respond(decision(), {
        ...makeJsonResponse(quirk.error),
        status: quirk.status
      })
    }
    try {
      const step = this.#stepFor(record, dialect !== undefined)
      const answer = toResponse(record, dialect, step.content, this.#jobs)
      for (const phase of phasesBeforeResponse)
        if (!(await exchange.runInterventions(step, phase))) return
      await exchange.respond(step, answer)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      await exchange.respond(
        decision(),
        toScriptErrorResponse(dialect, 500, `The script does not fit: ${message}`)
      )
    }
  }

  /** Takes the server's next step if it drops the connection at one of these phases. */
  #dueDrop(...phases: ReadonlyArray<ExchangePhase>): "reset" | "end" | undefined {
    const drop = this.#script.next?.interventions.find(({ after }) => phases.includes(after))
    if (drop?.type !== "drop") return undefined
    this.#script.take()
    return drop.how
  }

  #stepFor(request: RecordedRequest, known: boolean): Step {
    const route = this.#routes.find(
      ({ matches, script }) => script.next !== undefined && matches(request)
    )
    // A request to an unknown path does not consume a step.
    return route?.script.take() ?? (known ? this.#script.take() : undefined) ?? decision()
  }

  #record(request: http.IncomingMessage, raw: string): Recorded {
    const body = parseJson(raw)
    const path = request.url ?? ""
    const model = getProperty(body, "model") ?? findFormField(raw, "model") ?? findPathModel(path)
    const record: Recorded = {
      at: this.#received.things.length + 1,
      method: request.method ?? "",
      path,
      headers: Object.fromEntries(
        Object.entries(request.headersDistinct).map(([name, values]) => [
          name,
          values?.join(", ") ?? ""
        ])
      ),
      raw,
      body,
      model: typeof model === "string" ? model : undefined,
      aborted: false
    }
    this.#received.add(record)
    return record
  }

  #abandon(record: Recorded): void {
    record.aborted = true
    this.#aborted.add(record)
  }
}

const phasesBeforeResponse: ReadonlyArray<ExchangePhase> = [
  "accept",
  "request_headers",
  "request_body"
]

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
