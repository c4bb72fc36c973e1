/** Passes requests on, and cuts the bodies of responses at arbitrary bytes. */
import { createServer } from "node:http"
import { once } from "node:events"
import { onTestFinished } from "vitest"

/** `pickLength` says how many bytes the next piece has. Resolves to the URL; ends with the test. */
export const startCuttingProxy = async (
  target: string,
  pickLength: () => number
): Promise<string> => {
  const server = createServer((request, response) => {
    const pass = async (): Promise<void> => {
      const parts: Array<Buffer> = []
      for await (const part of request) parts.push(part as Buffer)
      const { host: _, "content-length": __, ...headers } = request.headersDistinct
      const answer = await fetch(target + (request.url ?? ""), {
        method: request.method ?? "POST",
        headers: Object.entries(headers).flatMap(([name, values]) =>
          (values ?? []).map((value): [string, string] => [name, value])
        ),
        body: Buffer.concat(parts)
      })
      const body = Buffer.from(await answer.arrayBuffer())
      response.writeHead(answer.status, {
        "content-type": answer.headers.get("content-type") ?? "application/json"
      })
      for (let at = 0; at < body.length;) {
        const end = at + Math.max(1, pickLength())
        // Each piece is a chunk of its own, because the next one waits for it.
        await new Promise((resolve) => response.write(body.subarray(at, end), resolve))
        at = end
      }
      response.end()
    }
    pass().catch(() => response.destroy())
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (typeof address !== "object" || address === null) throw new Error("the proxy has no port")
  return `http://127.0.0.1:${address.port}`
}
