/** The secrets of an intern are sent only to their hosts. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { InternChatFailure } from "@signalbox/core/upstream"
import type { InternChatEvent } from "@signalbox/core/upstream"
import {
  makeReply,
  fetchWithSecrets,
  ScriptedInternHost,
  type InternTurnOutcome
} from "@signalbox/testing"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { expect, onTestFinished, test } from "vitest"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { startInternTestServer } from "./InternTestServer.ts"

const plantedSecret = "planted-secret-of-an-intern-51c7"

/** Records the headers that it receives. */
const startReceiver = async () => {
  const seen: Array<Readonly<Record<string, unknown>>> = []
  const server = createServer((request, response) => {
    seen.push(request.headers)
    response.end()
  })
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve)
  })
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return { seen, origin: `http://127.0.0.1:${port}`, port }
}

/** Starts an intern that fetches a given URL. */
const startFetchingIntern = async () => {
  const { origin, port, seen } = await startReceiver()
  const scripted = new ScriptedInternHost()
  const server = await startInternTestServer({ options: { interns: { host: scripted.host } } })
  const id = await server.createRunning()
  const put = await server.ask("PUT", `/vault/interns/${id}/secrets/token`, {
    body: { value: plantedSecret, hosts: ["localhost", "api.example.com"] }
  })
  expect(put.status).toBe(200)
  const fetchAt = async (url: string) => {
    scripted.scriptTurns((requested) =>
      Effect.flatMap(
        Effect.mapError(
          fetchWithSecrets(requested.intern, url, origin),
          ({ problem }) => new InternChatFailure({ reason: "turn_failed", problem })
        ),
        (status) => makeReply([String(status)])(requested)
      )
    )
    return server.ask("POST", `/interns/${id}/chat/completions`, {
      body: { stream: true, messages: [{ role: "user", content: `fetch ${url}` }] }
    })
  }
  return { fetchAt, id, port, scripted, seen, server }
}

test.each(["localhost", "LOCALHOST", "localhost.", "api.example.com", "API.Example.COM."])(
  "a secret is sent to its host %s",
  async (name) => {
    const { fetchAt, port, seen } = await startFetchingIntern()
    const answer = await fetchAt(`http://${name}:${port}/`)
    expect(answer.status).toBe(200)
    expect(seen.map(({ token }) => token)).toEqual([plantedSecret])
    expect(answer.text).not.toContain(plantedSecret)
  }
)

test.each([
  "127.0.0.1",
  "[::1]",
  "localhost.example.com",
  "sub.localhost",
  "api.example.com.evil.test",
  "xapi.example.com",
  "example.com",
  "api-example.com",
  "localhost@evil.test",
  "evil.test#localhost",
  "evil.test/localhost"
])("no secret is sent to %s", async (name) => {
  const { fetchAt, seen } = await startFetchingIntern()
  const answer = await fetchAt(`http://${name}/`)
  expect(answer.status).toBe(200)
  expect(seen.map(({ token }) => token)).toEqual([undefined])
  expect(JSON.stringify(seen)).not.toContain(plantedSecret)
})

test("released secrets are redacted from the failure of an intern host", async () => {
  const { id, scripted, server } = await startFetchingIntern()
  scripted.scriptTurns(({ intern }) =>
    Effect.flatMap(Effect.orDie(intern.releaseSecrets("localhost")), (released) =>
      Effect.fail(
        new InternChatFailure({
          reason: "turn_failed",
          problem: `refused with ${plantedSecret}, one of ${released.length}`
        })
      )
    )
  )
  const answer = await server.ask("POST", `/interns/${id}/chat/completions`, {
    body: { stream: true, messages: [{ role: "user", content: "go" }] }
  })
  expect(parseErrorEnvelope(answer)).toMatchObject({
    code: 502,
    message: "refused with [redacted], one of 1"
  })
})

/** Answers with these events after the release of a secret, and leaves the stream open. */
const streamAfterRelease = (...events: ReadonlyArray<InternChatEvent>): InternTurnOutcome => {
  return ({ intern }) =>
    Effect.map(Effect.orDie(intern.releaseSecrets("localhost")), () => ({
      type: "stream",
      session: "one",
      events: Stream.concat(Stream.fromIterable(events), Stream.never)
    }))
}
const makeDelta = (content: string): InternChatEvent => ({ type: "delta", content })

test("a secret that an intern repeats, whole or in parts, is redacted from its answer", async () => {
  const { id, scripted, server } = await startFetchingIntern()
  scripted.scriptTurns(
    streamAfterRelease(
      { type: "delta", reasoning: `whole: ${plantedSecret}` },
      makeDelta(`halves: ${plantedSecret.slice(0, 9)}`),
      makeDelta(`${plantedSecret.slice(9)}; a part: ${plantedSecret.slice(0, 9)}`),
      { type: "end" }
    ),
    streamAfterRelease(makeDelta("May I?"), {
      type: "question",
      id: "q",
      argumentsJson: JSON.stringify({ message: plantedSecret })
    })
  )
  const ask = () =>
    server.ask("POST", `/interns/${id}/chat/completions`, {
      body: { stream: true, messages: [{ role: "user", content: "go" }] }
    })
  const { text } = await ask()
  expect(text).not.toContain(plantedSecret)
  expect(text).toContain('{"reasoning":"whole: [redacted]"}')
  expect(text).toContain('{"content":"halves: [redacted]"}')
  expect(text).toContain(`{"content":"; a part: ${plantedSecret.slice(0, 9)}"}`)
  expect((await ask()).text).toContain(JSON.stringify(JSON.stringify({ message: "[redacted]" })))
})

test("the secrets of a borrowed vault are released after the intern's own", async () => {
  const { id, port, scripted, seen, server } = await startFetchingIntern()
  const { body } = await server.ask("GET", `/interns/${id}`)
  const vault_id = (body as { readonly vault_id: string }).vault_id
  const borrower = await server.createRunning({ name: "eve", vault_id })
  scripted.scriptTurns((asked) =>
    Effect.flatMap(
      Effect.orDie(
        fetchWithSecrets(asked.intern, `http://localhost:${port}/`, `http://127.0.0.1:${port}`)
      ),
      () => makeReply(["done"])(asked)
    )
  )
  await server.ask("POST", `/interns/${borrower}/chat/completions`, {
    body: { stream: true, messages: [{ role: "user", content: "go" }] }
  })
  expect(seen.map(({ token }) => token)).toEqual([plantedSecret])
})
