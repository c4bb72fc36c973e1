/** No operation takes the body a browser sends from a form of another site. */
import { operations } from "@signalbox/core/adapter"
import { afterAll, beforeAll, expect, test } from "vitest"
import { parseErrorEnvelope } from "../support/HttpResponse.ts"
import { send } from "../support/send.ts"
import { keys, TestServer } from "../support/TestServer.ts"

let server: TestServer
beforeAll(async () => {
  server = await TestServer.start()
})
afterAll(() => server[Symbol.asyncDispose]())

const mutatingOperations = operations.filter(({ method }) => method !== "GET")
const forms = [
  ["application/x-www-form-urlencoded", "name=x"],
  ["multipart/form-data; boundary=x", "--x--"],
  ["text/plain", '{"name":"x"}'],
  ["Text/Plain; charset=utf-8", '{"name":"x"}'],
  ["application/x-www-form-urlencoded", ""]
] as const

/** To those that run models it is malformed, as to the reference service. */
const isMalformedFor = (group: string, name: string): boolean =>
  group === "chat" || group === "decisions" || (group === "videos" && name === "submit")

test.each(mutatingOperations)(
  "$method $path is not for forms",
  async ({ group, method, name, path }) => {
    const isOfInterns = group === "interns"
    const isMalformed = isMalformedFor(group, name)
    const key = isMalformed || isOfInterns ? keys.member : keys.management
    for (const [type, body] of forms) {
      if (isOfInterns && body === "") continue
      const answer = await send(server.root + path.replaceAll(/:\w+/g, "x"), {
        method,
        body,
        headers: {
          authorization: `Bearer ${key}`,
          origin: "https://elsewhere.example",
          "content-type": type
        }
      })
      const status = isMalformed ? 400 : 415
      expect([type, answer.status, parseErrorEnvelope(answer).code]).toEqual([type, status, status])
      expect(parseErrorEnvelope(answer).message).toMatch(/content type must be application\/json/)
    }
  }
)

/** A page sends a body without a type as a `Blob`. */
test.each(mutatingOperations)(
  "$method $path took a body without a type from a page",
  async (operation) => {
    const { group, method, name, path } = operation
    const isOfMembers = isMalformedFor(group, name) || group.startsWith("intern")
    const answer = await send(server.root + path.replaceAll(/:\w+/g, "x"), {
      method,
      body: '{"name":"x"}',
      headers: {
        authorization: `Bearer ${isOfMembers ? keys.member : keys.management}`,
        origin: "https://elsewhere.example"
      }
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
  }
)
