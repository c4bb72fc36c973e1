/** Detects when a response is closed: it has been written, or its client has disconnected, which `handle.ts` makes an interruption. */
import type { IncomingMessage, ServerResponse } from "node:http"
import type { Socket } from "node:net"

/**
 * Calls `listener` once, when the response is closed. A pipelined response gets no events before its turn, so until then
 * this listens to the connection.
 */
export const onResponseClosed = (
  request: IncomingMessage,
  response: ServerResponse,
  listener: () => void
): void => {
  response.once("close", listener)
  if (response.socket !== null || request.socket.destroyed) return
  const waiting = getSocketListeners(request.socket)
  const leave = () => {
    response.off("close", listener)
    listener()
  }
  const stopWaiting = () => void waiting.delete(leave)
  waiting.add(leave)
  response.once("socket", stopWaiting)
  response.once("close", stopWaiting)
}

/** One listener for each connection, because a client may pipeline any number of requests. */
const getSocketListeners = (socket: Socket): Set<() => void> => {
  const known = listeners.get(socket)
  if (known !== undefined) return known
  const waiting = new Set<() => void>()
  listeners.set(socket, waiting)
  socket.once("close", () => {
    for (const leave of waiting) leave()
  })
  return waiting
}

const listeners = new WeakMap<Socket, Set<() => void>>()
