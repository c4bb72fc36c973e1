import { once } from "node:events"
import { createServer, get, type ServerResponse } from "node:http"
import { type AddressInfo, connect } from "node:net"
import { text as readText } from "node:stream/consumers"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import fc from "fast-check"
import { expect, it, onTestFinished } from "vitest"
import { ResponseText } from "../src/ResponseText.ts"

type Answer = (response: ServerResponse) => Promise<void>

const serve = async (answer: Answer) => {
  const server = createServer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    void answer(response)
  })
  await once(server.listen(0, "127.0.0.1"), "listening")
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

/** The texts of each turn of the event loop. */
const writeTurns = async (
  response: ServerResponse,
  turns: ReadonlyArray<ReadonlyArray<string>>
): Promise<void> => {
  const body = new ResponseText(response, 120_000)
  for (const texts of turns) {
    for (const text of texts) {
      const taken = body.write(text)
      if (!Exit.isExit(taken)) await Effect.runPromise(taken)
    }
    await new Promise(setImmediate)
  }
  body.end()
}

/** Replaces `write` like a middleware of the host, which may do more than write. */
const replaceWrite = (response: ServerResponse): void => {
  response.write = response.write.bind(response)
}

const askBody = async (port: number): Promise<string> => {
  const [response] = await once(get({ port, agent: false }), "response")
  return readText(response)
}

/** What arrives on a connection for these requests, until the server closes it. */
const askRaw = async (port: number, requests: string): Promise<string> => {
  const socket = connect(port, "127.0.0.1")
  socket.write(requests)
  return readText(socket)
}

const texts = fc.oneof(
  fc.string({ minLength: 1, unit: "binary" }),
  fc.string({ minLength: 1 }),
  fc.integer({ min: 1, max: 40_000 }).map((length) => "text ".repeat(length).slice(0, length)),
  fc.integer({ min: 1, max: 40_000 }).map((length) => "日é".repeat(length))
)

it("arrives as it was written, whether or not the response writes the chunks itself", () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.array(texts)), fc.boolean(), async (turns, isReplaced) => {
      const port = await serve((response) => {
        if (isReplaced) replaceWrite(response)
        return writeTurns(response, turns)
      })
      expect(await askBody(port)).toBe(turns.flat().join("").toWellFormed())
    }),
    { numRuns: 40 }
  ))

it("has one chunk for each turn", async () => {
  const port = await serve((response) => writeTurns(response, [["a", "b"], ["c", "dé"], ["e"]]))
  const request = "GET / HTTP/1.1\r\nhost: test\r\nconnection: close\r\n\r\n"
  expect(await askRaw(port, request)).toContain(
    "\r\n\r\n2\r\nab\r\n4\r\ncdé\r\n1\r\ne\r\n0\r\n\r\n"
  )
})

it("has no chunks for HTTP/1.0", async () => {
  const port = await serve((response) => writeTurns(response, [["a"], ["b"], ["c"]]))
  expect(await askRaw(port, "GET / HTTP/1.0\r\n\r\n")).toMatch(/\r\n\r\nabc$/)
})

it("waits for its turn on a pipelined connection", async () => {
  let count = 0
  let endFirst: (() => void) | undefined
  const port = await serve(async (response) => {
    const number = ++count
    if (number === 1) await new Promise<void>((resolve) => (endFirst = resolve))
    const written = writeTurns(response, [[`${number}a`], [`${number}b`], [`${number}c`]])
    if (number === 2) setImmediate(() => endFirst?.())
    await written
  })
  const request = "GET / HTTP/1.1\r\nhost: test\r\n\r\n"
  const last = request.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n")
  const received = await askRaw(port, request + last)
  expect(received.match(/\d[abc]/g)).toEqual(["1a", "1b", "1c", "2a", "2b", "2c"])
})

it("is interrupted when the host has ended the response", async () => {
  let outcome: unknown
  const port = await serve(async (response) => {
    const body = new ResponseText(response, 120_000)
    await Effect.runPromise(body.write("a"))
    await new Promise(setImmediate)
    response.end("z")
    outcome = await Effect.runPromiseExit(body.write("b"))
  })
  expect(await askBody(port)).toBe("az")
  expect(outcome).toMatchObject({ _tag: "Failure" })
})

it("waits for a slow reader, and goes on when it reads", async () => {
  let written = 0
  const port = await serve(async (response) => {
    const body = new ResponseText(response, 120_000)
    for (; written < 400; written++) await Effect.runPromise(body.write("x".repeat(100_000)))
    body.end()
  })
  const [response] = await once(get({ port, agent: false }), "response")
  let before = -1
  await expect
    .poll(() => {
      const isStill = before === written
      before = written
      return isStill
    })
    .toBe(true)
  expect(written).toBeLessThan(400)
  expect((await readText(response)).length).toBe(40_000_000)
})
