/** Reads one request and sends its response, with the delays and disconnects of a step. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { setTimeout } from "node:timers/promises"
import { TLSSocket } from "node:tls"
import type { ScriptedResponse } from "./ScriptedResponse.ts"
import type { Timeline, Wait } from "./Content.ts"
import type { Intervention, ExchangePhase, Step } from "./Step.ts"

export class Exchange {
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #over = new AbortController()
  readonly #ended = Promise.withResolvers<false>()
  #droppedByUs = false

  /** `onAbandoned` runs if the client disconnects before the end of the response. */
  constructor(request: IncomingMessage, response: ServerResponse, onAbandoned: () => void) {
    this.#request = request
    this.#response = response
    response.once("close", () => {
      this.#over.abort()
      this.#ended.resolve(false)
      if (!response.writableFinished && !this.#droppedByUs) onAbandoned()
    })
  }

  /** The request's body, as far as it arrives. */
  async read(): Promise<string> {
    const chunks: Array<Uint8Array> = []
    this.#request.on("data", (chunk: Uint8Array) => chunks.push(chunk))
    await new Promise((resolve) => this.#request.once("close", resolve).once("end", resolve))
    return Buffer.concat(chunks).toString()
  }

  /** Goes through what `step` does at `moment`; `false` when the exchange ends there. */
  async runInterventions(step: Step, phase: ExchangePhase): Promise<boolean> {
    for (const intervention of step.interventions) {
      if (intervention.after === phase && !(await this.#outlives(intervention))) return false
    }
    return !this.#over.signal.aborted
  }

  async respond(step: Step, { body, headers, status }: ScriptedResponse): Promise<void> {
    const whole = body instanceof Uint8Array
    this.#response.writeHead(status, {
      ...headers,
      ...(whole && step.framing === "length" ? { "content-length": body.length } : undefined)
    })
    const divided = isInterventionAt(step, "response_body")
    if (divided || isInterventionAt(step, "response_headers")) this.#response.flushHeaders()
    if (!(await this.runInterventions(step, "response_headers"))) return
    const parts = whole ? (divided ? splitInHalf(body) : [body]) : body
    const middle = Math.floor(parts.length / 2)
    if (!(await this.#send(parts.slice(0, middle)))) return
    if (!(await this.runInterventions(step, "response_body"))) return
    if (await this.#send(parts.slice(middle))) this.#response.end()
  }

  drop(how: "reset" | "end"): void {
    this.#droppedByUs = true
    dropConnection(this.#request.socket, how)
  }

  async #send(parts: Timeline<Uint8Array>): Promise<boolean> {
    for (const part of parts) {
      if (part instanceof Uint8Array) {
        const written = new Promise((resolve) => this.#response.write(part, resolve))
        // A write to a closed connection never calls back.
        await Promise.race([written, this.#ended.promise])
      } else {
        await this.#wait(part)
      }
      if (this.#over.signal.aborted) return false
    }
    return true
  }

  #outlives(intervention: Intervention): Promise<boolean> | boolean {
    switch (intervention.type) {
      case "delay":
        return this.#wait(intervention.millis)
      case "hold":
        return this.#wait(intervention.gate)
      case "silence":
        return this.#ended.promise
      case "drop":
        this.drop(intervention.how)
        return false
    }
  }

  /** False if the exchange ended before the wait. */
  #wait(wait: Wait): Promise<boolean> {
    const { signal } = this.#over
    return typeof wait === "number"
      ? setTimeout(wait, true, { signal }).catch(() => false)
      : Promise.race([wait.opened.then(() => true), this.#ended.promise])
  }
}

/** Under TLS a connection cannot be reset, only closed. */
export const dropConnection = (socket: Socket, how: "reset" | "end"): void => {
  if (how === "end" || socket instanceof TLSSocket) socket.destroy()
  else socket.resetAndDestroy()
}

const isInterventionAt = (step: Step, phase: ExchangePhase): boolean =>
  step.interventions.some(({ after }) => after === phase)

const splitInHalf = (body: Uint8Array): ReadonlyArray<Uint8Array> => {
  const middle = Math.floor(body.length / 2)
  return [body.subarray(0, middle), body.subarray(middle)]
}
