/** The documented uses of OpenRouter's client connect to the host only. Any other connection ends the process. */
import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, expect, test } from "vitest"
import { extractSnippets } from "../extractSnippets.ts"

const root = join(import.meta.dirname, "../..")
// Imports resolve here as in an application.
const work = join(root, "node_modules/.cache/no-outbound-traffic")

const guard = `
  import dns from "node:dns"
  import { Socket } from "node:net"
  const isLocal = (host) => host === undefined || ["127.0.0.1", "::1", "localhost"].includes(host)
  const fail = (host) => {
    console.error("outbound: " + host)
    process.exit(99)
  }
  const connect = Socket.prototype.connect
  Socket.prototype.connect = function (...args) {
    const [{ host, path } = {}] = [args].flat(2)
    if (path == null && !isLocal(host)) fail(host)
    return connect.apply(this, args)
  }
  const lookup = dns.lookup
  dns.lookup = (host, ...rest) => (isLocal(host) ? lookup(host, ...rest) : fail(host))
`

const program = extractSnippets(
  readFileSync(join(root, "docs/get-started/clients.md"), "utf8")
).find(({ text }) => text.includes("alpha.decisions.create"))?.running

const run = (name: string, code: string) => {
  const file = join(work, name)
  writeFileSync(file, stripTypeScriptTypes(code))
  const preload = `--import=data:text/javascript,${encodeURIComponent(guard)}`
  return promisify(execFile)(
    process.execPath,
    [preload, join(root, "scripts/runSnippet.ts"), file],
    { cwd: work, timeout: 900_000 }
  ).then(
    () => "local",
    ({ stderr }: { readonly stderr: string }) => stderr
  )
}

beforeAll(() => {
  mkdirSync(work, { recursive: true })
})

test("OpenRouter's client sends Decisions to the host only", async () => {
  expect(program).toContain("systemOne.create")
  expect(await run("documented.mjs", program ?? "")).toBe("local")
})

test("a call without an address ends the process", async () => {
  const withoutAddress = program?.replace(", { serverURL: base })", ")") ?? ""
  expect(withoutAddress).not.toBe(program)
  expect(await run("withoutAddress.mjs", withoutAddress)).toContain("outbound: openrouter.ai")
})
