/** An example server as its user has it: started by its file, read from its terminal, stopped by a signal. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { join } from "node:path"
import { bundleProgram } from "../../../vitest.programs.ts"
import { pickScope } from "../../../vitest.scope.ts"

/** What a server says when it has said everything of its own. */
const lastLine = "Every attempt is shown here:"

const sources = join(import.meta.dirname, "../src")

export const servers = ["express", "fastify", "node", "effect"] as const

export const toFile = (server: string): string => join(sources, `${server}.ts`)

/** In full it is the file itself, as its reader starts it. */
const toProgram = pickScope({
  full: async (server: string) => toFile(server),
  sample: (server: string) => bundleProgram(toFile(server))
})

export interface RunningServer {
  /** The first curl it prints once it listens; rejects when it ends before that. */
  readonly curl: () => Promise<HttpRequest>
  /** Everything printed so far, errors included. */
  readonly printed: () => string
  /** The exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>
  readonly kill: (signal: NodeJS.Signals) => void
}

/** Runs the server with nothing in its environment but what is given, and keeps nothing by default. */
export const startExampleServer = async (
  server: string,
  environment: Readonly<Record<string, string>>
): Promise<RunningServer> => {
  const child = spawn(process.execPath, [await toProgram(server)], {
    env: { SIGNALBOX_DB: ":memory:", ...environment }
  })
  const ready = Promise.withResolvers<HttpRequest>()
  // Some runs are meant to end before they listen.
  ready.promise.catch(() => undefined)
  let text = ""
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (chunk: string) => {
      text += chunk
      const [curl] = parseCurls(text)
      if (text.includes(lastLine) && curl?.body !== undefined) {
        ready.resolve({ ...curl, body: curl.body })
      }
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
  /** None: the curl asks with GET. */
  readonly body?: string
}

/** A curl that posts. */
export type HttpRequest = PrintedCurl & { readonly body: string }

export const parseCurls = (printed: string): ReadonlyArray<PrintedCurl> =>
  Array.from(printed.matchAll(/^curl (?:'[^']*'|\\\n|[^'\n])+/gm), ([command]) => {
    const words = Array.from(
      command.matchAll(/'([^']*)'|([^\s'\\]+)/g),
      ([, quoted, plain]) => quoted ?? plain ?? ""
    )
    const after = (flag: string) => words.filter((_, index) => words[index - 1] === flag)
    const [body] = after("-d")
    return {
      url: words.find((word) => word.startsWith("http")) ?? "",
      headers: Object.fromEntries(after("-H").map((header) => header.split(": ", 2))) as Record<
        string,
        string
      >,
      ...(body === undefined ? undefined : { body })
    }
  })

export const send = ({ body, headers, url }: PrintedCurl): Promise<Response> =>
  fetch(url, body === undefined ? { headers } : { method: "POST", headers, body })
