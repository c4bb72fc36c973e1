/** Finds the transport that sends the requests of an `HttpClient` to upstreams. */
import * as Context from "effect/Context"
import * as HttpClient from "effect/http/HttpClient"
import * as Tracer from "effect/Tracer"
import { makeHttpClientTransport } from "./makeHttpClientTransport.ts"
import type { UpstreamTransport } from "./UpstreamTransport.ts"

/** Makes `client` send the requests of upstreams by `transport`; other users of the client are not affected. */
export const setClientTransport = (
  client: HttpClient.HttpClient,
  transport: UpstreamTransport
): void => void transports.set(client, transport)

const transports = new WeakMap<HttpClient.HttpClient, UpstreamTransport>()

/**
 * The transport of the `HttpClient` in a context. A client of another platform, a client that a host has transformed,
 * and a client whose spans a tracer exports send requests themselves.
 */
export const getTransport = (
  context: Context.Context<never>,
  tracer: Tracer.Tracer
): UpstreamTransport => {
  const client = Context.getUnsafe(context, HttpClient.HttpClient)
  const transport = tracer === Tracer.nativeTracer ? transports.get(client) : undefined
  return transport ?? makeHttpClientTransport(client, context)
}
