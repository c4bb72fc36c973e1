/** Tells each process of a simulated world what the others have changed, as `LISTEN` and `NOTIFY` do. */
import type { ChangeFeed, Invalidation } from "@signalbox/core/stores"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { Link } from "./Link.ts"

/** The methods that change what processes cache, by `<port>.<method>`. */
const keyChanges: ReadonlySet<string> = new Set(
  ["insert", "put", "ensure", "update", "remove", "rotate"].map((name) => `ApiKeyStore.${name}`)
)

export class ChangeBroadcast {
  readonly #subscribers = new Map<Link, Queue.Queue<Invalidation>>()

  /** Whether other processes have to know of a call. */
  isChange(name: string): boolean {
    return keyChanges.has(name)
  }

  /** A process that may have missed something learns that everything may have changed. */
  subscribe(link: Link): typeof ChangeFeed.Service {
    const queue = Effect.runSync(Queue.unbounded<Invalidation>())
    this.#subscribers.set(link, queue)
    link.onRestore(() => this.#deliver(link, queue))
    link.client.onEnd(() => void this.#subscribers.delete(link))
    return { remoteInvalidations: Stream.fromQueue(queue) }
  }

  /** Tells all others, after the commit. */
  publish(from: Link): void {
    for (const [link, queue] of this.#subscribers) {
      if (link !== from) this.#deliver(link, queue)
    }
  }

  #deliver(link: Link, queue: Queue.Queue<Invalidation>): void {
    const { client, weather } = link
    if (weather.isCut) return
    // A lost message breaks the connection, and a new one begins with everything.
    const millis = weather.send("invalidation") ?? weather.detect()
    client.schedule(millis, "invalidation", () => {
      Queue.offerUnsafe(queue, { topic: "keys" })
    })
  }
}
