/** The receivers of webhooks of a simulated world: they answer, fail, hang, and keep what they got. */
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { constVoid } from "effect/Function"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import { Link } from "./Link.ts"
import type { Machine } from "./Machine.ts"
import type { Weather } from "./Weather.ts"

/** An event that has arrived. */
export interface ReceivedEvent {
  /** Of the receiver. */
  readonly host: string
  /** When it arrived, in virtual milliseconds. */
  readonly at: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: string
  /** Undefined: the receiver hangs. */
  readonly status: number | undefined
}

/** Where the events of an account go. */
export const toReceiver = (account: string): string => `hooks-${account}.example.com`

export class Receivers {
  readonly machine: Machine
  readonly received: Array<ReceivedEvent> = []
  failureRate = 0
  hangRate = 0

  constructor(machine: Machine) {
    this.machine = machine
  }

  /** What a process sends with, over a connection of its own. */
  connect(client: Machine, weather: Weather): HttpClient.HttpClient {
    const link = new Link<"lost">(client, this.machine, weather, () => Effect.fail("lost"))
    return HttpClient.make((request) =>
      link.call<number>("event", { run: (onExit) => this.#receive(request, onExit) }).pipe(
        Effect.map((status) => HttpClientResponse.fromWeb(request, new Response(null, { status }))),
        Effect.mapError(
          (cause) =>
            new HttpClientError.HttpClientError({
              reason: new HttpClientError.TransportError({ request, cause })
            })
        )
      )
    )
  }

  #receive(
    { body, headers, url }: HttpClientRequest.HttpClientRequest,
    onExit: (exit: Exit.Exit<number>) => void
  ): () => void {
    const { chance, timeline } = this.machine
    const status = chance.happens(this.hangRate)
      ? undefined
      : chance.happens(this.failureRate)
        ? chance.pick([500, 429, 301])
        : 204
    this.received.push({
      host: new URL(url).host,
      at: timeline.now,
      headers,
      body: body._tag === "Uint8Array" ? new TextDecoder().decode(body.body) : "",
      status
    })
    return status === undefined
      ? constVoid
      : this.machine.schedule(chance.between(1, 300), "receipt", () => onExit(Exit.succeed(status)))
  }
}
