/** The callers of a simulated world: what they ask over HTTP, and what they get. */
import type { Machine } from "./Machine.ts"
import type { RunningProcess } from "./Process.ts"
import type { Tenant } from "./Tenant.ts"

/** What a caller asks for. */
export interface Question {
  readonly tenant: Tenant
  readonly secret: string
  readonly kind:
    | "cached"
    | "delete"
    | "dismiss"
    | "hire"
    | "manage"
    | "secret"
    | "stream"
    | "turn"
    | "video"
    | "watch"
    | "whole"
  readonly method: "DELETE" | "GET" | "POST"
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: Readonly<Record<string, unknown>>
  /** The external user that the body names. */
  readonly user?: string
  /** When the caller leaves without an answer, in milliseconds after the request; absent: it waits. */
  readonly leavesAfter?: number
}

/** A request and what came of it. */
export interface Exchange extends Question {
  /** What the prompt names, such as `r12`. */
  readonly id: string
  readonly startedAt: number
  readonly process: Machine
  status: number | undefined
  /** What has arrived of the body. */
  text: string
  /**
   * `complete`: the whole response has arrived. `reset`: the connection broke, as its process ended. `left`: the caller did.
   */
  outcome: "broken" | "complete" | "left" | "open" | "reset"
  endedAt: number | undefined
  /** Releases what still waits for its body. */
  cancel: () => void
}

export class Client {
  readonly exchanges: Array<Exchange> = []
  readonly #machine: Machine

  constructor(machine: Machine) {
    this.#machine = machine
  }

  /** Asks a process. `ask` gets the id of the request. */
  send(process: RunningProcess, ask: (id: string) => Question): Exchange {
    const client = this.#machine
    const { chance, timeline } = client
    const id = `r${this.exchanges.length + 1}`
    const question = ask(id)
    const exchange: Exchange = {
      ...question,
      id,
      startedAt: timeline.now,
      process: process.machine,
      status: undefined,
      text: "",
      outcome: "open",
      endedAt: undefined,
      cancel: () => {}
    }
    this.exchanges.push(exchange)
    const end = (outcome: Exchange["outcome"]): void => {
      if (exchange.outcome !== "open") return
      exchange.outcome = outcome
      exchange.endedAt = timeline.now
      unwatch()
    }
    const unwatch = process.machine.onEnd(() => {
      client.schedule(chance.between(1, 50), `reset ${id}`, () => end("reset"))
    })
    const leaving = new AbortController()
    process.machine.schedule(chance.between(0, 3), `request ${id}`, () => {
      void receive(process, exchange, leaving.signal, (outcome) =>
        client.schedule(chance.between(0, 3), `${outcome} ${id}`, () => end(outcome))
      )
    })
    if (question.leavesAfter !== undefined) {
      client.schedule(question.leavesAfter, `leaves ${id}`, () => {
        end("left")
        process.machine.schedule(chance.between(0, 3), `left ${id}`, () => leaving.abort())
      })
    }
    return exchange
  }
}

/** Not `fetch` of the platform: the function of the instance, without a network. */
const receive = async (
  process: RunningProcess,
  exchange: Exchange,
  signal: AbortSignal,
  onEnd: (outcome: Exchange["outcome"]) => void
): Promise<void> => {
  const { body, headers, method, path, secret } = exchange
  try {
    const response = await process.fetch(
      new Request(`http://signalbox.invalid/api/v1${path}`, {
        method,
        headers: {
          authorization: `Bearer ${secret}`,
          "content-type": "application/json",
          ...headers
        },
        signal,
        ...(body === undefined ? undefined : { body: JSON.stringify(body) })
      })
    )
    exchange.status = response.status
    const reader = response.body?.getReader()
    if (reader !== undefined) {
      exchange.cancel = () => void reader.cancel().catch(() => {})
      const decoder = new TextDecoder()
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        exchange.text += decoder.decode(value, { stream: true })
      }
    }
    onEnd("complete")
  } catch {
    onEnd("broken")
  }
}
