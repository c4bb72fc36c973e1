/**
 * The upstream of measured servers. It writes answers that are ready to sockets, so that it takes less time than any
 * server that asks it.
 */
import { createServer, type Socket } from "node:net"
import { chatAnswer, decisionAnswer, firstEvents, lastEvents, tokenEvent } from "./answers.ts"
import { idleMark, streamEvents, voiceModel } from "./workloads.ts"

const toWhole = (body: string): Buffer =>
  Buffer.from(
    `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`
  )
const toChunk = (text: string): string => `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`

const decision = toWhole(decisionAnswer)
const chat = toWhole(chatAnswer)
const head = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n${toChunk(firstEvents)}`
)
const one = Buffer.from(toChunk(tokenEvent))
const eight = Buffer.from(toChunk(tokenEvent.repeat(8)))
const end = Buffer.from(`${toChunk(lastEvents)}0\r\n\r\n`)

/** Writes eight events in each turn of the event loop, unless the reader is slower. */
const streamTogether = (socket: Socket): void => {
  let left = streamEvents
  const go = (): void => {
    if (socket.destroyed) return
    if (left <= 0) {
      socket.write(end)
      return
    }
    left -= 8
    if (socket.write(eight)) setImmediate(go)
    else socket.once("drain", go)
  }
  socket.write(head)
  go()
}

/** The events that are left, of streams with an event a millisecond. */
const paced = new Map<Socket, number>()
let timer: NodeJS.Timeout | undefined
const tick = (): void => {
  for (const [socket, left] of paced) {
    if (left > 0 && !socket.destroyed) {
      paced.set(socket, left - 1)
      socket.write(one)
    } else {
      paced.delete(socket)
      socket.write(end)
    }
  }
  if (paced.size > 0) return
  clearInterval(timer)
  timer = undefined
}
const streamApart = (socket: Socket): void => {
  socket.write(head)
  paced.set(socket, streamEvents)
  timer ??= setInterval(tick, 1)
}

/** The beginning of an MP3 frame, and silence. */
const audio = Buffer.alloc(1_024)
audio.set([0xff, 0xfb, 0x90, 0xc4])
const audioChunk = Buffer.concat([
  Buffer.from(`${audio.length.toString(16)}\r\n`),
  audio,
  Buffer.from("\r\n")
])
const audioHead = Buffer.from(
  "HTTP/1.1 200 OK\r\ncontent-type: audio/mpeg\r\ntransfer-encoding: chunked\r\n\r\n"
)
const audioEnd = Buffer.concat([audioChunk, Buffer.from("0\r\n\r\n")])
/** The first bytes at once, and the last a moment later. */
const speak = (socket: Socket): void => {
  socket.write(Buffer.concat([audioHead, audioChunk]))
  setTimeout(() => {
    if (!socket.destroyed) socket.write(audioEnd)
  }, 2)
}

const serviceUnavailable = Buffer.from(
  "HTTP/1.1 503 Service Unavailable\r\nretry-after: 1\r\ncontent-length: 2\r\n\r\n{}"
)
let failures = 0
/** Answers with a status, with nothing, or with a part. */
const fail = (socket: Socket): void => {
  const kind = failures++ % 3
  if (kind === 0) socket.write(serviceUnavailable)
  else if (kind === 1) socket.destroy()
  else socket.end(chat.subarray(0, -40))
}

const answer = (socket: Socket, request: Buffer): void => {
  if (request.includes(idleMark)) socket.write(head)
  else if (request.includes("bench/judge")) socket.write(decision)
  else if (request.includes("bench/apart")) streamApart(socket)
  else if (request.includes("bench/together")) streamTogether(socket)
  else if (request.includes(voiceModel)) speak(socket)
  else if (request.includes("bench/failing")) fail(socket)
  else socket.write(chat)
}

/** Whether these bytes are a whole request. */
const isWhole = (request: Buffer): boolean => {
  const at = request.indexOf("\r\n\r\n")
  if (at === -1) return false
  const head = request.toString("latin1", 0, at).toLowerCase()
  const length = /\r\ncontent-length: *(\d+)/.exec(head)?.[1]
  return length === undefined
    ? request.subarray(-5).toString() === "0\r\n\r\n" || !head.includes("chunked")
    : request.length >= at + 4 + Number(length)
}

const server = createServer({ noDelay: true }, (socket) => {
  let received: Buffer = Buffer.alloc(0)
  socket.on("error", () => socket.destroy())
  socket.on("data", (bytes: Buffer) => {
    received = received.length === 0 ? bytes : Buffer.concat([received, bytes])
    if (!isWhole(received)) return
    const request = received
    received = Buffer.alloc(0)
    answer(socket, request)
  })
})
process.on("message", () => {
  const { system, user } = process.cpuUsage()
  process.send?.({ cpuMicros: system + user })
})
process.on("disconnect", () => process.exit())
server.listen(0, "127.0.0.1", () => {
  const address = server.address()
  process.send?.({ port: typeof address === "object" ? address?.port : undefined })
})
