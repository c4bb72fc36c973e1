import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import type { Signalbox } from "@signalbox/core"
import { stripMountPrefix } from "@signalbox/core/adapter"
import { getRequestPath } from "@signalbox/node"
import { hostContract, listen } from "@signalbox/testing/contracts"

/** Passes `incoming` to `instance.fetch`, as a web-standard host would. */
const bridgeToFetch = async (
  instance: Signalbox,
  mount: string,
  [incoming, outgoing]: readonly [IncomingMessage, ServerResponse]
): Promise<void> => {
  const { headers, method = "GET" } = incoming
  const controller = new AbortController()
  outgoing.once("close", () => controller.abort())
  // An unread body would block the next request on the connection.
  outgoing.once("finish", () => incoming.removeAllListeners("data").resume())
  const body =
    method === "GET" || method === "HEAD"
      ? undefined
      : { body: Readable.toWeb(incoming), duplex: "half" as const }
  const response = await instance.fetch(
    new Request(`http://localhost${getRequestPath(incoming)}`, {
      method,
      headers: Object.entries(headers).map(([name, value]) => [name, String(value)]),
      signal: controller.signal,
      ...body
    }),
    { mount }
  )
  outgoing.setHeaders(response.headers).writeHead(response.status)
  const answer = response.body === null ? Readable.from([]) : Readable.fromWeb(response.body)
  await pipeline(answer, outgoing)
}

hostContract("web-standard", ({ instance, mounts }) => {
  const mount = mounts.join("")
  return listen(
    createServer((request, response) => {
      response.setHeader("x-host", "here")
      const path = stripMountPrefix(getRequestPath(request), mount) ?? "/"
      if (instance.match(request.method ?? "GET", path)) {
        bridgeToFetch(instance, mount, [request, response]).catch(() => response.destroy())
      } else if (path === "/own") request.pipe(response)
      else response.writeHead(404).end()
    })
  )
})
