import { createServer } from "node:http"
import { signalbox } from "@signalbox/express"
import { Signalbox } from "@signalbox/node"
import { listen } from "@signalbox/testing/contracts"
import express from "express"
import helmet from "helmet"
import { expect, onTestFinished, test } from "vitest"

test("the reference page needs nothing that Helmet forbids", async () => {
  const instance = await Signalbox.make({ upstreams: [], models: [] })
  const app = express().use(helmet()).use("/ai", signalbox(instance))
  const host = await listen(createServer(app))
  onTestFinished(async () => {
    await host.close()
    await instance.close()
  })
  const { headers } = await fetch(`${host.origin}/ai/api/v1/openapi.json`)
  expect(headers.get("content-security-policy")).toContain("script-src 'self'")
  const response = await fetch(`${host.origin}/ai/api/v1/docs`)
  expect(response.headers.get("content-security-policy")).toMatch(/^default-src 'none'; style-src/)
  const page = await response.text()
  expect(page).toContain("<b>POST</b> <code>/ai/api/v1/chat/completions</code>")
  expect(page).not.toMatch(/<script|\son\w+=/i)
})
