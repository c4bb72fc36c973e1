/** A page of the console that is open while its server restarts. */
import { once } from "node:events"
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { signalbox } from "@signalbox/node"
import type { Browser } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { BrowserTab } from "./support/BrowserTab.ts"
import { makeOpenConsole } from "./support/consoleHosts.ts"
import { startConsoleInstance } from "./support/consoleInstance.ts"
import { canOpenBrowser, openBrowser } from "./support/openBrowser.ts"

/** `port` 0: any. */
const start = async (port: number) => {
  const instance = await startConsoleInstance()
  const server: Server = createServer(signalbox(makeOpenConsole(instance)))
  server.listen(port, "127.0.0.1")
  await once(server, "listening")
  // Safe: it listens on TCP.
  const { port: found } = server.address() as AddressInfo
  const stop = async () => {
    server.close()
    server.closeAllConnections()
    await instance.close()
  }
  return { instance, port: found, stop }
}

describe.skipIf(!canOpenBrowser)("a server that restarts", () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser?.close())

  it.each([
    ["overview", "Top spenders"],
    ["now", "demo/model@steady"],
    ["requests?live=on", "demo/model"]
  ])("leaves %s with its values and their age, and it goes on by itself", async (hash, text) => {
    const first = await start(0)
    await using tab = await BrowserTab.open(browser, `http://127.0.0.1:${first.port}/`)
    await tab.goTo(`#/${hash}`)
    await tab.waitFor(text)
    // Headings are there before what is below them has been read.
    await tab.page.waitForSelector(".loaded")
    await tab.page.waitForSelector(".progress", { hidden: true })
    await first.stop()
    await tab.waitFor("The server does not answer.")
    await tab.waitFor("What is shown was read")
    expect(await tab.page.$$(".stale")).not.toEqual([])
    expect(await tab.text()).toContain(text)
    const second = await start(first.port)
    onTestFinished(second.stop)
    await tab.page.waitForSelector(".stale", { hidden: true })
    await tab.page.waitForSelector(".note-bad", { hidden: true })
    expect(await tab.text()).toContain(text)
    // Its actions are those of the new server.
    await tab.goTo("#/requests")
    await tab.page.locator(".views summary").click()
    await tab.page.locator(".views form input").fill("after")
    await tab.click("Save view")
    await tab.waitFor("Saved as after.")
    expect((await second.instance.savedViews.list({})).data).toMatchObject([{ name: "after" }])
  })
})
