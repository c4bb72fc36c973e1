import { describe, expect, it } from "vitest"
import { addMessagesHeaders } from "../../../src/dialects/messages/makeMessagesChat.ts"

const body = { messages: [] }
const given = { "anthropic-version": "2026-10-21", "anthropic-beta": "a,b" }

describe("addMessagesHeaders", () => {
  it("leaves the headers of the host alone, from which their secrets are prepared once", () => {
    const headers = { "anthropic-version": "2023-06-01", "x-of-host": "1" }
    const added = addMessagesHeaders({ body, headers }, given, undefined)
    expect(added).toEqual({ body, headers, nonSecretHeaders: given })
    expect(added.headers).toBe(headers)
  })

  it("adds betas to those of the host, each once", () => {
    const headers = { "anthropic-version": "2023-06-01", "Anthropic-Beta": "b, c" }
    const betas = { "anthropic-beta": "a,b" }
    expect(addMessagesHeaders({ body, headers }, betas, undefined).nonSecretHeaders).toEqual({
      "anthropic-beta": "b,c,a"
    })
  })

  it("says betas in the body of a provider whose version is there", () => {
    const request = { body: { ...body, anthropic_beta: ["c"] }, headers: { "x-of-host": "1" } }
    expect(addMessagesHeaders(request, given, "vertex-2023-10-16")).toEqual({
      body: { ...body, anthropic_beta: ["c", "a", "b"] },
      headers: { "x-of-host": "1" }
    })
  })

  it("changes nothing without headers of the caller", () => {
    const request = { body, headers: { "anthropic-version": "2023-06-01" } }
    expect(addMessagesHeaders(request, {}, undefined)).toEqual(request)
    expect(addMessagesHeaders(request, {}, "vertex-2023-10-16")).toEqual(request)
  })
})
