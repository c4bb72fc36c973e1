/** The documented ways to use OpenRouter's client never leave the host: they run in a process whose other connections are traps. */
import { execFile } from "node:child_process"
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { stripTypeScriptTypes } from "node:module"
import { join } from "node:path"
import { promisify } from "node:util"
import { beforeAll, expect, test } from "vitest"
import { extractSnippets } from "../extractSnippets.ts"

const root = join(import.meta.dirname, "../..")
// Programs find their packages here, as those of an application do.
const work = join(root, "examples/servers/node_modules/.cache/stays-home")

const trap = `
  import dns from "node:dns"
  import { Socket } from "node:net"
  const isHome = (host) => host === undefined || ["127.0.0.1", "::1", "localhost"].includes(host)
  const leave = (host) => {
    console.error("LEFT THE HOST: " + host)
    process.exit(99)
  }
  const connect = Socket.prototype.connect
  Socket.prototype.connect = function (...args) {
    const [{ host, path } = {}] = [args].flat(2)
    if (path == null && !isHome(host)) leave(host)
    return connect.apply(this, args)
  }
  const lookup = dns.lookup
  dns.lookup = (host, ...rest) => (isHome(host) ? lookup(host, ...rest) : leave(host))
`

const program = extractSnippets(
  readFileSync(join(root, "docs/get-started/clients.md"), "utf8")
).find(({ text }) => text.includes("alpha.decisions.create"))?.running

const run = (name: string, code: string) => {
  const file = join(work, name)
  writeFileSync(file, stripTypeScriptTypes(code))
  const loading = `--import=data:text/javascript,${encodeURIComponent(trap)}`
  return promisify(execFile)(
    process.execPath,
    [loading, join(root, "scripts/runSnippet.ts"), file],
    { cwd: work, timeout: 60_000 }
  ).then(
    () => "stayed",
    ({ stderr }: { readonly stderr: string }) => stderr
  )
}

beforeAll(() => {
  mkdirSync(work, { recursive: true })
})

test("Decisions by OpenRouter's client went to its own server", { timeout: 90_000 }, async () => {
  expect(program).toContain("systemOne.create")
  expect(await run("documented.mjs", program ?? "")).toBe("stayed")
})

test("the trap catches the call without an address", { timeout: 90_000 }, async () => {
  const careless = program?.replace(", { serverURL: base })", ")") ?? ""
  expect(careless).not.toBe(program)
  expect(await run("careless.mjs", careless)).toContain("LEFT THE HOST: openrouter.ai")
})
