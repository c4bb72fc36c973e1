/** The client as a browser bundles and runs it: without a global of Node. */
import { createServer } from "node:http"
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { Signalbox, signalbox } from "@signalbox/node"
import { openai } from "@signalbox/openai"
import { reply, ScriptedUpstream } from "@signalbox/testing"
import { build } from "esbuild"
import { expect, it, onTestFinished } from "vitest"
import { canOpenBrowser, openBrowser } from "../console/support/openBrowser.ts"

const program = `
import { createClient } from "@signalbox/client"
const client = createClient({ baseUrl: "/ai", apiKey: "sk-page", retries: 0 })
const messages = [{ role: "user", content: "Is it calm at sea?" }]
globalThis.run = async () => {
  const pieces = []
  for await (const { choices } of client.chat.stream({ model: "acme/small", messages })) {
    pieces.push(choices[0]?.delta.content ?? "")
  }
  const questions = { sure: { type: "noul", instructions: "Sure?" } }
  const { answers } = await client.decide({ model: "acme/small", state: "x", questions })
  const error = await client.chat.complete({ model: "acme/none", messages }).catch((error) => error)
  const stopped = await client.keys.getCurrent({ signal: AbortSignal.abort("enough") }).catch((error) => error)
  return { text: pieces.join(""), sure: answers.sure.noul, name: error.name, status: error.status, stopped }
}
`

it.skipIf(!canOpenBrowser)("runs in a browser (CHROME_PATH names another)", async () => {
  const upstream = await ScriptedUpstream.start()
  upstream.script(reply.chat(["It is ", "calm."]), reply.decision())
  const instance = await Signalbox.make({
    upstreams: [openai({ slug: "first", baseUrl: `${upstream.url}/v1`, apiKey: "sk-at-first" })],
    models: [{ id: "acme/small", endpoints: [{ provider: "first", price: {} }] }],
    keys: [{ key: "sk-page", kind: "member", user: "ada" }]
  })
  const { outputFiles } = await build({
    stdin: { contents: program, resolveDir: join(import.meta.dirname, "../..") },
    bundle: true,
    minify: true,
    format: "esm",
    platform: "browser",
    write: false
  })
  const ours = signalbox(instance, { mount: "/ai" })
  const server = createServer((request, response) => {
    if (request.url?.startsWith("/ai/") === true) ours(request, response)
    else if (request.url === "/page.js") {
      response.setHeader("content-type", "text/javascript").end(outputFiles[0]?.text)
    } else
      response
        .setHeader("content-type", "text/html")
        .end(`<script type="module" src="/page.js"></script>`)
  })
  server.listen(0, "127.0.0.1")
  await once(server, "listening")
  const browser = await openBrowser()
  onTestFinished(async () => {
    await browser.close()
    server.closeAllConnections()
    server.close()
    await Promise.all([instance.close(), upstream.close()])
  })
  const page = await browser.newPage()
  const { port } = server.address() as AddressInfo
  await page.goto(`http://127.0.0.1:${port}/`)
  await page.waitForFunction("globalThis.run !== undefined")
  expect(await page.evaluate("run()")).toEqual({
    text: "It is calm.",
    sure: expect.any(Number),
    name: "ResponseError",
    status: 400,
    stopped: "enough"
  })
})
