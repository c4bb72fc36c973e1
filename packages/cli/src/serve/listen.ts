/** Listens for HTTP requests, and stops without failing any. */
import { createServer, type RequestListener, type Server } from "node:http"
import { setTimeout } from "node:timers/promises"
import type { Signalbox } from "@signalbox/core/adapter"
import type * as CliError from "effect/cli/CliError"
import * as Effect from "effect/Effect"
import { usageError } from "../usageError.ts"
import type { Address } from "./chooseAddress.ts"

/** A server that listens, until the scope closes. Until it has a listener for requests, it answers 503. */
export const listen = ({ host, port }: Pick<Address, "host" | "port">) =>
  Effect.acquireRelease(
    Effect.callback<Server, CliError.UserError>((resume) => {
      const server = createServer()
      server.once("error", (error: NodeJS.ErrnoException) =>
        resume(usageError(explain(error, host, port), error))
      )
      server.on("request", refuse)
      server.listen(port, host, () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => closeServer(server))
  )

export const serveWith = (server: Server, listener: RequestListener): void => {
  server.off("request", refuse)
  server.on("request", listener)
}

const refuse: RequestListener = (_, response) => {
  response.writeHead(503, { "retry-after": "1", connection: "close" }).end()
}

const closeServer = (server: Server): void => {
  server.close()
  server.closeAllConnections()
}

const explain = ({ code, message }: NodeJS.ErrnoException, host: string, port: number): string => {
  switch (code) {
    case "EADDRINUSE":
      return `Port ${port} of ${host} is in use: choose another one with --port, or stop what listens there`
    case "EACCES":
      return `Port ${port} of ${host} needs more rights: choose one from 1024 on with --port`
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return `This machine has no address ${host}: choose another one with --host, such as 127.0.0.1 or 0.0.0.0`
    case undefined:
    default:
      return `Could not listen on port ${port} of ${host}: ${message}`
  }
}

/** Ends when no request runs any more, or when the instance has interrupted the rest. */
export const stop = async (
  server: Server,
  instance: Pick<Signalbox, "close" | "drain">,
  noticeMillis: number
): Promise<void> => {
  instance.drain()
  await setTimeout(noticeMillis)
  server.close()
  await instance.close()
}
