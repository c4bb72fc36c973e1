/** Sends requests to an instance in the background, as several users would. */
import { setTimeout } from "node:timers/promises"
import type { Signalbox } from "@signalbox/core"
import type { TrafficKey } from "./openAccount.ts"
import { makeTrafficRequests } from "./trafficRequests.ts"

/** Ends the traffic; requests in flight are abandoned. */
export type StopTraffic = () => void

/** They never reach a provider outside of this process, because they name models of the demo alone. */
export const startTraffic = (
  instance: Pick<Signalbox, "fetch">,
  keys: ReadonlyArray<TrafficKey>
): StopTraffic => {
  const stopping = new AbortController()
  const { signal } = stopping
  const run = async () => {
    while (!signal.aborted) {
      // Independent clients: the time between two requests is exponential.
      const millis = (-Math.log(1 - Math.random()) / computeRate(Date.now())) * 1_000
      await setTimeout(millis, undefined, { signal })
      const { secret } = draw(keys)
      const { body, path } = draw(makeTrafficRequests(Math.random()))
      // An answer that breaks off is in the records of the instance.
      send(instance, path, secret, body, signal).catch(() => undefined)
    }
  }
  // It ends by the abort.
  run().catch(() => undefined)
  return () => stopping.abort()
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
  // A stream runs as long as it is read.
  await response.text()
}

/** Requests a second, at a time in milliseconds: waves of seven minutes, with a rush every quarter of an hour. */
const computeRate = (now: number): number => {
  const minutes = now / 60_000
  const wave = 1 + 0.6 * Math.sin((2 * Math.PI * minutes) / 7)
  return wave * (minutes % 15 < 1 ? 2.5 : 1)
}

const draw = <A extends { readonly weight: number }>(items: ReadonlyArray<A>): A => {
  let left = Math.random() * items.reduce((sum, { weight }) => sum + weight, 0)
  const drawn = items.find(({ weight }) => (left -= weight) < 0) ?? items.at(-1)
  if (drawn === undefined) throw new RangeError("there is nothing to draw from")
  return drawn
}
