/** A client on loopback that records responses and how connections end. */
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
  /** Sends the body in chunks, without its length. */
  readonly chunked?: boolean
  /** Sends only the headers; the body never follows. */
  readonly withheld?: boolean
  /** Default: a new connection. */
  readonly agent?: Agent
  readonly signal?: AbortSignal
}

/** Rejects if the connection ends before the response does. */
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
    // After a response, errors of the unread rest of the body are irrelevant.
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

/** A raw connection. */
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
