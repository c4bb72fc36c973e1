/** A connection of a machine to a server, over which effects run at the server. */
import * as Effect from "effect/Effect"
import type * as Exit from "effect/Exit"
import type { Machine } from "./Machine.ts"
import type { Weather } from "./Weather.ts"

/** A call that has not been answered. */
interface Exchange {
  /** The connection breaks. */
  readonly break: () => void
}

/** What a call needs besides what it runs. */
export interface CallOptions<A, E> {
  /** Runs the call at the server. `onExit` receives its result. Returns what ends it when the connection breaks. */
  readonly run: (onExit: (exit: Exit.Exit<A, E>) => void) => () => void
  /** Ends the call when its caller no longer waits; absent: the call goes on. */
  readonly isAbandoned?: true
}

/**
 * Each call is one message and one answer, and either may be lost: then the call ends as `onLost` says, and
 * nobody at its origin knows whether it was done.
 */
export class Link<Lost = never> {
  readonly client: Machine
  readonly server: Machine
  readonly weather: Weather
  readonly #onLost: (name: string) => Effect.Effect<never, Lost>
  readonly #exchanges = new Set<Exchange>()
  readonly #onRestore: Array<() => void> = []

  constructor(
    client: Machine,
    server: Machine,
    weather: Weather,
    onLost: (name: string) => Effect.Effect<never, Lost>
  ) {
    this.client = client
    this.server = server
    this.weather = weather
    this.#onLost = onLost
    client.onEnd(() => this.#break())
  }

  /** The connection carries nothing until `restore`. */
  cut(): void {
    this.weather.isCut = true
    this.#break()
  }

  restore(): void {
    if (!this.weather.isCut) return
    this.weather.isCut = false
    for (const run of this.#onRestore) run()
  }

  /** Calls `run` when the connection works again. */
  onRestore(run: () => void): void {
    this.#onRestore.push(run)
  }

  #break(): void {
    for (const exchange of this.#exchanges) exchange.break()
  }

  /** Runs `end` at the server when the connection breaks. Returns what stops watching. */
  watch(name: string, end: () => void): () => void {
    const exchange: Exchange = {
      break: () => {
        this.#exchanges.delete(exchange)
        this.server.schedule(this.weather.detect(), `aborted ${name}`, end)
      }
    }
    this.#exchanges.add(exchange)
    return () => void this.#exchanges.delete(exchange)
  }

  call<A, E = never>(
    name: string,
    { isAbandoned, run }: CallOptions<A, E>
  ): Effect.Effect<A, E | Lost> {
    return Effect.callback<A, E | Lost>((resume) => {
      const { client, server, weather } = this
      let isOver = false
      let endAtServer: (() => void) | undefined
      const finish = (delay: number, label: string, result: Effect.Effect<A, E | Lost>): void => {
        if (isOver) return
        isOver = true
        this.#exchanges.delete(exchange)
        client.schedule(delay, `${label} ${name}`, () => resume(result))
      }
      const exchange: Exchange = {
        break: () => {
          if (isOver) return
          const end = endAtServer
          if (end !== undefined) server.schedule(weather.detect(), `aborted ${name}`, end)
          endAtServer = undefined
          finish(weather.detect(), "lost", this.#onLost(name))
        }
      }
      this.#exchanges.add(exchange)
      const sent = weather.send(name)
      if (sent === undefined) exchange.break()
      else {
        server.schedule(sent, `call ${name}`, () => {
          // Its caller has gone, or its connection has broken on the way.
          if (isOver || client.isOver) return
          endAtServer = run((exit) => {
            const answered = weather.send(name)
            if (answered === undefined) exchange.break()
            else finish(answered, "answer", exit)
          })
        })
      }
      return Effect.sync(() => {
        if (isOver) return
        isOver = true
        this.#exchanges.delete(exchange)
        if (isAbandoned === true) endAtServer?.()
      })
    })
  }
}
