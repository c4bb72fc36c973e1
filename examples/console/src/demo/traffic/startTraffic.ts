/** Sends requests to an instance in the background, as several users would. */
import { setTimeout } from "node:timers/promises"
import type { Signalbox } from "@signalbox/core"
import { computeRate } from "./computeRate.ts"
import type { TrafficKey } from "./openAccount.ts"
import { firstFilms, makeTrafficRequests, type TrafficRequest } from "./trafficRequests.ts"

/**
 * Ends with `signal`, which abandons requests in flight. They never reach a provider outside of this process, because they
 * name models of the demo alone.
 */
export const startTraffic = (
  instance: Pick<Signalbox, "fetch">,
  keys: ReadonlyArray<TrafficKey>,
  signal: AbortSignal
): void => {
  // An answer that breaks off is in the records of the instance.
  const start = ({ body, path }: Pick<TrafficRequest, "body" | "path">, { secret }: TrafficKey) =>
    void send(instance, path, secret, body, signal).catch(() => undefined)
  for (const [at, film] of firstFilms.entries()) {
    const key = keys[at % keys.length]
    if (key !== undefined) start(film, key)
  }
  const run = async () => {
    while (!signal.aborted) {
      // Independent clients: the time between two requests is exponential.
      const millis = (-Math.log(1 - Math.random()) / computeRate(Date.now())) * 1_000
      await setTimeout(millis, undefined, { signal })
      start(draw(makeTrafficRequests(Math.random())), draw(keys))
    }
  }
  // It ends by the abort.
  run().catch(() => undefined)
}

const send = async (
  instance: Pick<Signalbox, "fetch">,
  path: string,
  secret: string,
  body: object,
  signal: AbortSignal
): Promise<void> => {
  const response = await instance.fetch(
    new Request(`http://signalbox.invalid${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify(body),
      signal
    })
  )
  // A stream only goes on while it is read.
  await response.text()
}

const draw = <A extends { readonly weight: number }>(items: ReadonlyArray<A>): A => {
  let left = Math.random() * items.reduce((sum, { weight }) => sum + weight, 0)
  const drawn = items.find(({ weight }) => (left -= weight) < 0) ?? items.at(-1)
  if (drawn === undefined) throw new RangeError("there is nothing to draw from")
  return drawn
}
