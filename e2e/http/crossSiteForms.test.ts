/** Operations reject bodies that a browser can send from another site without a preflight. */
import { operations } from "@signalbox/core/adapter"
import { afterAll, beforeAll, expect, test } from "vitest"
import { getProperty } from "../support/getProperty.ts"
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

/** Operations that run models answer 400 rather than 415, as the reference service does. */
const isMalformedFor = (group: string, name: string): boolean =>
  [
    "chat",
    "decisions",
    "embeddings",
    "images",
    "messages",
    "rerank",
    "responses",
    "speech",
    "transcription"
  ].includes(group) ||
  (group === "videos" && name === "submit")

test.each(mutatingOperations)(
  "$method $path rejects the content types of forms",
  async ({ group, method, name, path }) => {
    const isInternOperation = group === "interns"
    // The caller has a key, which a page cannot add; forms without one are in `e2e/audio` and `e2e/images`.
    const isUpload = group === "transcription" || path.endsWith("/images/edits")
    const isMalformed = isMalformedFor(group, name)
    const key = isMalformed || isInternOperation ? keys.member : keys.management
    for (const [type, body] of forms) {
      if (isInternOperation && body === "") continue
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
      expect([type, answer.status]).toEqual([type, status])
      // Anthropic's envelope has no code.
      const code = group === "messages" ? undefined : status
      expect(getProperty(getProperty(answer.body, "error"), "code")).toBe(code)
      expect(getProperty(getProperty(answer.body, "error"), "message")).toMatch(
        isUpload && type.startsWith("multipart/")
          ? /file: must be a file of the form|image: must have at least one image to edit/
          : /content type must be application\/json/
      )
    }
  }
)

/** A page can send a body without a content type as a `Blob`. */
test.each(mutatingOperations)(
  "$method $path rejects a body without a content type from another origin",
  async (operation) => {
    const { group, method, name, path } = operation
    const needsMemberKey = isMalformedFor(group, name) || group.startsWith("intern")
    const answer = await send(server.root + path.replaceAll(/:\w+/g, "x"), {
      method,
      body: '{"name":"x"}',
      headers: {
        authorization: `Bearer ${needsMemberKey ? keys.member : keys.management}`,
        origin: "https://elsewhere.example"
      }
    })
    expect(answer.status).toBeGreaterThanOrEqual(400)
  }
)
