/** A client on loopback that shows what arrives, and how a connection ends. */
import { once } from "node:events"
import { type Agent, type IncomingHttpHeaders, request } from "node:http"
import { connect, type Socket } from "node:net"

export interface HttpResponse {
  readonly status: number | undefined
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

export interface SendOptions {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
  /** Sends the body in pieces, its length undeclared. */
  readonly chunked?: boolean
  /** Sends the headers alone; the body never comes. */
  readonly withheld?: boolean
  /** Default: a connection of its own. */
  readonly agent?: Agent
  readonly signal?: AbortSignal
}

/** Rejects when the connection ends before the whole answer is there. */
export const send = (
  url: string,
  { agent, body = "", chunked, headers, method = "GET", signal, withheld }: SendOptions = {}
): Promise<HttpResponse> =>
  new Promise((resolve, reject) => {
    const length =
      method === "POST" && chunked !== true ? { "content-length": Buffer.byteLength(body) } : {}
    const sent = request(
      url,
      {
        method,
        agent: agent ?? false,
        headers: { ...length, ...headers },
        ...(signal === undefined ? undefined : { signal })
      },
      (response) => {
        let text = ""
        response.setEncoding("utf8")
        response.on("data", (chunk: string) => (text += chunk))
        response.on("error", reject)
        response.on("end", () => {
          resolve({ status: response.statusCode, headers: response.headers, text })
          if (withheld === true) sent.destroy()
        })
      }
    )
    // After an answer nobody cares for the rest of the body, and an error here is too late.
    sent.on("error", reject)
    if (withheld === true) return sent.flushHeaders()
    if (chunked === true) for (const piece of splitBody(body)) sent.write(piece)
    else sent.write(body)
    sent.end()
  })

const splitBody = (body: string | Uint8Array): ReadonlyArray<string | Uint8Array> => {
  const size = Math.ceil(body.length / 8)
  return Array.from({ length: 8 }, (_, index) => body.slice(index * size, (index + 1) * size))
}

/** A connection to write to by hand. */
export const openSocket = async (origin: string): Promise<Socket> => {
  const socket = connect(Number(new URL(origin).port), "127.0.0.1")
  await once(socket, "connect")
  return socket
}

/** Writes `lines` and collects what comes back until the server ends the connection. */
export const exchangeLines = async (
  origin: string,
  lines: ReadonlyArray<string>
): Promise<string> => {
  const socket = await openSocket(origin)
  let text = ""
  socket.setEncoding("utf8")
  socket.on("data", (chunk: string) => (text += chunk))
  socket.write(`${lines.join("\r\n")}\r\n\r\n`)
  await once(socket, "close")
  return text
}
