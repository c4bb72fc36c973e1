/** Waits until this process has received a text in the answer of a server. */
import { subscribe, unsubscribe } from "node:diagnostics_channel"
import { getProperty } from "./getProperty.ts"

const channel = "undici:request:bodyChunkReceived"

/**
 * Resolves once a part of an answer with `text` was read from its socket and handled. Listens from when it is called
 * (https://github.com/nodejs/undici/blob/main/docs/docs/api/DiagnosticsChannel.md#undicirequestbodychunkreceived).
 */
export const whenReceived = (text: string): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const received = new Map<unknown, string>()
  const receive = (message: unknown): void => {
    const [request, chunk] = [getProperty(message, "request"), getProperty(message, "chunk")]
    if (!(chunk instanceof Uint8Array)) return
    const all = (received.get(request) ?? "") + Buffer.from(chunk).toString()
    received.set(request, all)
    if (!all.includes(text)) return
    unsubscribe(channel, receive)
    // It is handled after this, in the same turn.
    resolve()
  }
  subscribe(channel, receive)
  return promise
}
