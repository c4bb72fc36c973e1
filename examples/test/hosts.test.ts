/** Starts the example of each host like its user: it decides, streams a chat, leaves other paths to the host, and stops. */
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { globSync, readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import { bundleProgram } from "../../vitest.programs.ts"
import { pickScope } from "../../vitest.scope.ts"

interface Example {
  readonly folder: string
  /** What starts it. */
  readonly command: ReadonlyArray<string>
  /** What builds it first. */
  readonly build?: ReadonlyArray<string>
  /** The server is bundled, and its bundle is the last argument. */
  readonly isBundled?: boolean
  /** The exit code and the signal that it ends with after SIGTERM; default: 0 and none. */
  readonly end?: readonly [code: number | null, signal: NodeJS.Signals | null]
}

const examples = join(import.meta.dirname, "..")
const node = process.execPath
/** Frameworks of Node are not bundled, because they look for their optional packages. */
const nodeExamples: ReadonlyArray<Example> = [
  { folder: "express", command: [node, "server.ts"] },
  { folder: "fastify", command: [node, "server.ts"] },
  { folder: "node", command: [node, "server.ts"] },
  // The code of an interrupted program.
  { folder: "effect", command: [node, "server.ts"], end: [130, null] },
  { folder: "hono", command: [node, "server.ts"] },
  { folder: "h3", command: [node, "server.ts"] },
  { folder: "nestjs", command: [node, "server.ts"] },
  { folder: "nestjs-fastify", command: [node, "server.ts"] }
]
const runtimes: ReadonlyArray<Example> = [
  { folder: "bun", command: ["node_modules/.bin/bun"], isBundled: true },
  // The npm package starts Deno from a program of Node, which does not wait for it after a signal.
  {
    folder: "deno",
    command: ["node_modules/.bin/deno", "run", "--allow-all"],
    isBundled: true,
    end: [null, "SIGTERM"]
  }
]
/** A build takes up to half a minute. */
const built: ReadonlyArray<Example> = [
  {
    folder: "next",
    build: [node, "node_modules/next/dist/bin/next", "build"],
    command: [node, "node_modules/next/dist/bin/next", "start", "--hostname", "127.0.0.1"],
    // 128 and the number of the signal.
    end: [143, null]
  },
  {
    folder: "nitro",
    build: [node, "node_modules/nitro/dist/cli/index.mjs", "build"],
    command: [node, ".output/server/index.mjs"]
  },
  {
    folder: "sveltekit",
    build: [node, "node_modules/vite/bin/vite.js", "build"],
    command: [node, "build/index.js"]
  }
]
const all = [...nodeExamples, ...runtimes, ...built]

const listFolders = (): ReadonlyArray<string> =>
  globSync("*/package.json", { cwd: examples }).map(dirname).toSorted()

test("each folder but that of the console is the example of a host", () => {
  expect(["console", ...all.map(({ folder }) => folder)].toSorted()).toEqual(listFolders())
})

describe.each(all)("the example in $folder", ({ folder }) => {
  const countLines = (file: string): number =>
    readFileSync(join(examples, folder, file), "utf8")
      .trimEnd()
      .split("\n").length

  test("has a README of five lines and files of at most 30", () => {
    expect(countLines("README.md")).toBe(5)
    const sources = globSync("{*,{app,plugins,routes,src}/**/*}.{ts,js,mjs}", {
      cwd: join(examples, folder),
      exclude: ["next-env.d.ts"]
    })
    expect(sources).not.toEqual([])
    for (const source of sources) {
      expect([source, countLines(source) <= 30]).toEqual([source, true])
    }
  })
})

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, "close")
  return port
}

const headers = { authorization: "Bearer sk-demo-member", "content-type": "application/json" }

test.each(pickScope({ full: all, sample: [...nodeExamples, ...runtimes] }))(
  "the example in $folder decides, streams a chat, serves its own pages, and stops",
  async ({ build, command, end = [0, null], folder, isBundled }) => {
    const cwd = join(examples, folder)
    // Nitro does not wait for running requests under `CI` and `TEST`.
    const { CI: _ci, TEST: _test, ...inherited } = process.env
    const env = { ...inherited, NODE_ENV: "production" }
    if (build !== undefined) {
      const [program = "", ...rest] = build
      execFileSync(program, rest, { cwd, env, stdio: "pipe" })
    }
    const bundle = isBundled === true ? [await bundleProgram(join(cwd, "server.ts"))] : []
    const [program = "", ...rest] = command
    const port = await findFreePort()
    const child = spawn(program, [...rest, ...bundle], {
      cwd,
      env: { ...env, PORT: String(port), HOST: "127.0.0.1" },
      // A program that an npm package starts is in the group of its own.
      detached: true
    })
    const signalGroup = (signal: NodeJS.Signals): void => {
      if (child.pid !== undefined) process.kill(-child.pid, signal)
    }
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
          { timeout: 240_000 }
        )
        .toBe("This page is the host's own.")

      const decision = await fetch(`${origin}/ai/api/alpha/decisions`, {
        method: "POST",
        headers,
        body: JSON.stringify({
          model: "demo/overlap-2",
          state: "I was charged twice",
          questions: { money: { type: "noul", instructions: "Was somebody charged?" } }
        })
      })
      expect(await decision.json()).toMatchObject({ answers: { money: { type: "noul" } } })

      const chat = await fetch(`${origin}/ai/api/v1/chat/completions`, {
        method: "POST",
        headers,
        body: JSON.stringify({
          model: "demo/parrot-1",
          stream: true,
          messages: [{ role: "user", content: "one two three" }]
        })
      })
      expect(chat.status).toBe(200)
      const pieces: Array<string> = []
      const decoder = new TextDecoder()
      for await (const bytes of chat.body ?? []) pieces.push(decoder.decode(bytes))
      const text = pieces.join("")
      expect(text.match(/"content":"(?:one|two|three) ?"/g)).toHaveLength(3)
      expect(text.endsWith("data: [DONE]\n\n")).toBe(true)
      // The words come twenty a second, so a host that does not buffer passes them on one by one.
      expect(pieces.length).toBeGreaterThan(2)

      const missing = await fetch(`${origin}/elsewhere/api/v1/models`)
      expect(missing.status).toBe(404)
      expect(await missing.text()).not.toContain('{"error":{"code"')

      signalGroup("SIGTERM")
      expect([await exited, printed]).toEqual([end, expect.not.stringMatching(/^\s+at /m)])
    } finally {
      if (child.exitCode === null && child.signalCode === null) signalGroup("SIGKILL")
      await exited
    }
  }
)
