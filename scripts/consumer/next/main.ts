/** Starts the built Next.js application, reads its page, and streams a chat from its route. */
import assert from "node:assert/strict"
import { createServer, type RequestListener } from "node:http"
import { once } from "node:events"
import { globSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { createClient } from "@signalbox/client"
import { ScriptedUpstream } from "@signalbox/testing"

/** Not imported, because its types change the types of `process.env` for all files. */
const makeNext: (options: { readonly dev: boolean; readonly dir: string }) => {
  readonly prepare: () => Promise<void>
  readonly getRequestHandler: () => RequestListener
  readonly close: () => Promise<void>
} = createRequire(import.meta.url)("next")

const dir = join(process.cwd(), "next")
await using upstream = await ScriptedUpstream.start()
process.env["UPSTREAM_URL"] = `${upstream.url}/v1`
const app = makeNext({ dev: false, dir })
await app.prepare()
const server = createServer(app.getRequestHandler()).listen(0, "127.0.0.1")
await once(server, "listening")
const address = server.address()
if (address === null || typeof address === "string") throw new Error("no port")
const origin = `http://127.0.0.1:${address.port}`

const page = await fetch(origin)
assert.match(await page.text(), /data-noul="0(?:\.\d+)?"/)

const client = createClient({ baseUrl: `${origin}/ai`, apiKey: "sk-consumer" })
const messages = [{ role: "user", content: "Is all well?" }] as const
let text = ""
for await (const { choices } of client.chat.stream({ model: "author/writer", messages })) {
  text += choices[0]?.delta.content ?? ""
}
assert.notEqual(text, "")
assert.equal(upstream.requests.length, 2)

const scripts = globSync(".next/static/**/*.js", { cwd: dir })
const isSent = scripts.some((path) =>
  readFileSync(join(dir, path), "utf8").includes("TruncatedStreamError")
)
assert.ok(isSent, "no script of the page contains the client")
server.close()
server.closeAllConnections()
console.log(`next: decided and streamed a chat on node ${process.version}`)
process.exit(0)
