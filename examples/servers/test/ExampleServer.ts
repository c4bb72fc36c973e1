/** An example server as its user has it: started by its file, read from its terminal, stopped by a signal. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"

const sources = join(import.meta.dirname, "../src")

export const servers = ["express", "fastify", "node", "effect"] as const

export const fileOf = (server: string): string => join(sources, `${server}.ts`)

export interface Run {
  /** The curl it prints once it listens; rejects when it ends before that. */
  readonly curl: () => Promise<PrintedCurl>
  /** Everything printed so far, errors included. */
  readonly printed: () => string
  /** The exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>
  readonly kill: (signal: NodeJS.Signals) => void
}

/** Runs the server with nothing in its environment but what is given. */
export const run = (server: string, environment: Readonly<Record<string, string>>): Run => {
  const child = spawn(process.execPath, [fileOf(server)], { env: environment })
  const ready = Promise.withResolvers<PrintedCurl>()
  // Some runs are meant to end before they listen.
  ready.promise.catch(() => undefined)
  let text = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
      const curl = printedCurl(text)
      if (curl !== undefined) ready.resolve(curl)
    })
  }
  child.once("close", () => ready.reject(new Error(`${server} ended early:\n${text}`)))
  return {
    curl: () => ready.promise,
    printed: () => text,
    exited: once(child, "close").then(([code]) => code as number | null),
    kill: (signal) => child.kill(signal)
  }
}

/** The request that a printed curl makes. */
export interface PrintedCurl {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const printedCurl = (printed: string): PrintedCurl | undefined => {
  const command = /^curl (\S+) \\\n((?:  -H '[^']+' \\\n)*)  -d '([^']+)'\n/m.exec(printed)
  if (command === null) return undefined
  const [, url = "", flags = "", body = ""] = command
  const headers = Array.from(flags.matchAll(/-H '([^:']+): ([^']*)'/g), ([, name, value]) => [
    name,
    value
  ])
  return { url, headers: Object.fromEntries(headers) as Record<string, string>, body }
}

export const send = ({ body, headers, url }: PrintedCurl): Promise<Response> =>
  fetch(url, { method: "POST", headers, body })
