/** Writes raw bytes to a server and reads until the server closes the connection. */
import { once } from "node:events"
import { connect } from "node:net"

/** Half-closes the connection after `bytes` if `ends`; the server has to close it soon. */
export const exchangeBytes = async (
  origin: string,
  bytes: string,
  { ends }: { readonly ends: boolean }
): Promise<string> => {
  const socket = connect({
    port: Number(new URL(origin).port),
    host: "127.0.0.1",
    allowHalfOpen: true
  })
  let text = ""
  socket.setEncoding("utf8")
  socket.on("data", (chunk: string) => (text += chunk))
  socket.setTimeout(120_000, () => socket.destroy(new Error(`nothing came after: ${text}`)))
  socket.write(bytes)
  if (ends) socket.end()
  await once(socket, "end")
  socket.destroy()
  return text
}
