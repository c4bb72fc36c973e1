/** A webhook receiver, which needs only the signing secret. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { text } from "node:stream/consumers"
import { stopOnSignal } from "./host/stopOnSignal.ts"
import { isSigned } from "./receiver/isSigned.ts"

const { PORT = "3100", WEBHOOK_SECRET } = process.env
if (!WEBHOOK_SECRET?.startsWith("whsec_")) {
  throw new Error("set WEBHOOK_SECRET to the secret you were told, whsec_...")
}

/** A real service stores these in its database. An event is repeated if its response is lost. */
const known = new Set<unknown>()

const server = createServer((request, response) => {
  void text(request).then((body) => {
    const { headers } = request
    if (!isSigned(WEBHOOK_SECRET, headers, body)) return response.writeHead(401).end()
    if (!known.has(headers["webhook-id"])) {
      known.add(headers["webhook-id"])
      const { data, type } = JSON.parse(body)
      console.log(`${type}: ${data.id}`)
    }
    // Responds at once, because Signalbox repeats the event after 15 seconds without a response.
    return response.writeHead(204).end()
  })
})
server.listen(Number(PORT), "127.0.0.1", () => {
  console.log(`Events are taken on http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
})
stopOnSignal(async () => server.close())
