/** Starts the example of each host like its user, and streams a chat through it. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { existsSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { expect, test } from "vitest"
import { bundleProgram } from "../../../vitest.programs.ts"
import { pickScope } from "../../../vitest.scope.ts"

interface Example {
  readonly folder: string
  /** What starts it, with the bundle of its server as the last argument if it has one. */
  readonly command: ReadonlyArray<string>
  /** What builds it first. */
  readonly build?: ReadonlyArray<string>
}

const examples = join(import.meta.dirname, "../..")
const node = process.execPath
const nodeExamples = ["hono", "h3", "nestjs"].map((folder): Example => ({
  folder,
  command: [node]
}))
const runtimes: ReadonlyArray<Example> = [
  { folder: "bun", command: ["node_modules/.bin/bun"] },
  { folder: "deno", command: ["node_modules/.bin/deno", "run", "--allow-all"] }
]
/** A build takes half a minute. */
const built: ReadonlyArray<Example> = [
  {
    folder: "next",
    build: [node, "node_modules/next/dist/bin/next", "build"],
    command: [node, "node_modules/next/dist/bin/next", "start", "--hostname", "127.0.0.1"]
  },
  {
    folder: "sveltekit",
    build: [node, "node_modules/vite/bin/vite.js", "build"],
    command: [node, "build/index.js"]
  }
]

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return port
}

test.each(
  pickScope({
    full: [...nodeExamples, ...runtimes, ...built],
    sample: [...nodeExamples, ...runtimes]
  })
)("the example in $folder streams a chat, and serves its own page", async (example) => {
  const cwd = join(examples, example.folder)
  const env = { ...process.env, NODE_ENV: "production" }
  if (example.build !== undefined) {
    const [program = "", ...rest] = example.build
    execFileSync(program, rest, { cwd, env, stdio: "pipe" })
  }
  const source = join(cwd, "server.ts")
  const [program = "", ...rest] = example.command
  const server = existsSync(source) ? [await bundle(source, example)] : []
  const port = await findFreePort()
  const child = spawn(program, [...rest, ...server], {
    cwd,
    env: { ...env, PORT: String(port), HOST: "127.0.0.1" },
    // A program that an npm package starts is in the group of its own.
    detached: true
  })
  let printed = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => (printed += text))
  }
  const exited = once(child, "close")
  try {
    const origin = `http://127.0.0.1:${port}`
    await expect
      .poll(
        () =>
          fetch(origin).then(
            (page) => page.text(),
            () => printed
          ),
        { timeout: 60_000 }
      )
      .toBe("This page is the host's own.")
    const answer = await fetch(`${origin}/ai/api/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer sk-demo-member", "content-type": "application/json" },
      body: JSON.stringify({
        model: "demo/parrot-1",
        stream: true,
        messages: [{ role: "user", content: "one two three" }]
      })
    })
    expect(answer.status).toBe(200)
    const pieces: Array<string> = []
    const decoder = new TextDecoder()
    for await (const bytes of answer.body ?? []) pieces.push(decoder.decode(bytes))
    const text = pieces.join("")
    expect(text.match(/"content":"(?:one|two|three) ?"/g)).toHaveLength(3)
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true)
    // The words come twenty a second, so a host that does not buffer passes them on one by one.
    expect(pieces.length).toBeGreaterThan(2)
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL")
    await exited
  }
})

/** The frameworks of Node stay outside the bundle, where their optional packages are found. */
const bundle = (source: string, { command }: Example): Promise<string> =>
  command[0] === node ? Promise.resolve(source) : bundleProgram(source)
