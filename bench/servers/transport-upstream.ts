/** An upstream on HTTP/1.1 and HTTP/2 for `bench/transport.ts`. A request waits as long as its path says. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import {
  createServer as createServer2,
  type Http2ServerRequest,
  type Http2ServerResponse
} from "node:http2"
import { once } from "node:events"

const answer = JSON.stringify({
  id: "chatcmpl-bench",
  choices: [{ index: 0, message: { role: "assistant", content: "A lighthouse. ".repeat(25) } }],
  usage: { prompt_tokens: 20, completion_tokens: 80, total_tokens: 100 }
})
const headers = [
  ["content-type", "application/json"],
  ["content-length", String(Buffer.byteLength(answer))]
] as const

const respond = (
  request: IncomingMessage | Http2ServerRequest,
  response: ServerResponse | Http2ServerResponse
): void => {
  const end = (): void => {
    response.statusCode = 200
    for (const [name, value] of headers) response.setHeader(name, value)
    response.end(answer)
  }
  const millis = Number(request.url?.slice(1))
  request.resume()
  request.on("end", () => {
    if (millis === 0) end()
    else setTimeout(end, millis)
  })
}

const servers = [createServer(respond), createServer2(respond)]
const ports: Array<number> = []
for (const server of servers) {
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  if (typeof address === "object" && address !== null) ports.push(address.port)
}
process.send?.({ ports })
