/** Starts an instance in each kind of host on a free port. */
import { once } from "node:events"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Mountable } from "@signalbox/core/adapter"
import { signalbox as expressAdapter } from "@signalbox/express"
import { signalbox as fastifyAdapter } from "@signalbox/fastify"
import { signalbox as nodeAdapter } from "@signalbox/node"
import { type Handler, signalbox as webAdapter } from "@signalbox/web"
import express from "express"
import { fastify } from "fastify"

export interface RunningHost {
  /** The URL of the host, without the mount. */
  readonly origin: string
  readonly close: () => Promise<void>
}

export interface Host {
  readonly name: string
  readonly start: (mounted: Mountable, mount: string) => Promise<RunningHost>
}

export const nodeHost: Host = {
  name: "node:http",
  start: (mounted, mount) => toRunningHost(createServer(nodeAdapter(mounted, { mount })))
}

const express5: Host = {
  name: "Express 5",
  start: (mounted, mount) => {
    const app = express()
    app.use(mount === "" ? "/" : mount, expressAdapter(mounted))
    return toRunningHost(createServer(app))
  }
}

export const fastify5: Host = {
  name: "Fastify 5",
  start: async (mounted, mount) => {
    const app = fastify()
    await app.register(fastifyAdapter(mounted), { prefix: mount })
    const origin = await app.listen({ host: "127.0.0.1", port: 0 })
    return {
      origin,
      close: async () => {
        app.server.closeAllConnections()
        await app.close()
      }
    }
  }
}

const webStandard: Host = {
  name: "web handler",
  start: (mounted, mount) => {
    const handler = webAdapter(mounted, { mount })
    return toRunningHost(
      createServer((request, response) => {
        serveWeb(handler, request, response).catch(() => response.destroy())
      })
    )
  }
}

export const hosts: ReadonlyArray<Host> = [nodeHost, express5, fastify5, webStandard]

export const toRunningHost = async (server: Server): Promise<RunningHost> => {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the host has no port")
  return {
    origin: `http://127.0.0.1:${address.port}`,
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, "close")
    }
  }
}

/** Emulates a runtime with web-standard requests on Node. */
const serveWeb = async (
  handler: Handler,
  request: IncomingMessage,
  response: ServerResponse
): Promise<void> => {
  const left = new AbortController()
  response.once("close", () => left.abort())
  const hasBody = request.method !== "GET" && request.method !== "HEAD"
  const answer = await handler(
    new Request(`http://host.invalid${request.url ?? "/"}`, {
      method: request.method ?? "GET",
      headers: Object.entries(request.headersDistinct).flatMap(([name, values]) =>
        (values ?? []).map((value): [string, string] => [name, value])
      ),
      signal: left.signal,
      // A partially read body must not close the connection.
      ...(hasBody
        ? {
            body: ReadableStream.from(request.iterator({ destroyOnReturn: false })),
            duplex: "half"
          }
        : undefined)
    })
  )
  // The handler has not read the rest of the body.
  if (!request.complete) response.setHeader("connection", "close")
  response.setHeaders(answer.headers).writeHead(answer.status)
  if (answer.body === null) response.end()
  else await pipeline(Readable.fromWeb(answer.body), response)
}
