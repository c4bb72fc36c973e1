/** The list of requests: one of them beside it, keys, columns, a typed time, and requests as they come. */
import type { Signalbox as Instance } from "@signalbox/core"
import type { Browser, KeyInput } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { BrowserTab } from "./support/BrowserTab.ts"
import { browserHosts, consoleMount, makeOpenConsole } from "./support/consoleHosts.ts"
import { startConsoleInstance } from "./support/consoleInstance.ts"
import { holdTimers } from "./support/holdTimers.ts"
import { canOpenBrowser, openBrowser } from "./support/openBrowser.ts"

const row = "tbody a[href^='#/requests/gen-']"

const countRows = (tab: BrowserTab) => tab.page.$$eval(row, ({ length }) => length)

describe.skipIf(!canOpenBrowser)("the list of requests", () => {
  let browser: Browser
  let instance: Instance
  let running: Awaited<ReturnType<(typeof browserHosts)[number]["start"]>>
  beforeAll(async () => {
    browser = await openBrowser()
    instance = await startConsoleInstance()
    running = await browserHosts[0]!.start(makeOpenConsole(instance), consoleMount)
  })
  afterAll(async () => {
    await browser?.close()
    await running?.close()
    await instance?.close()
  })

  const open = async (hash: string, { width = 1_280, script = "" } = {}) => {
    const tab = await BrowserTab.open(browser, `${running.origin}${consoleMount}/`, width)
    onTestFinished(() => tab[Symbol.asyncDispose]())
    await tab.page.evaluateOnNewDocument(script)
    await tab.goTo(hash)
    return tab
  }
  const chat = () =>
    instance.chat({ model: "demo/model", messages: [{ role: "user", content: "Hello" }] })

  it.each([
    { width: 400, beside: 0, address: /^#\/requests\/gen-/ },
    // The list and its filters stay where there is room for them.
    { width: 1_280, beside: 1, address: /model=demo%2Fmodel.*&open=gen-/ }
  ])("steps through requests by keys, $width pixels wide", async ({ address, beside, width }) => {
    const tab = await open("#/requests?model=demo%2Fmodel&range=24h", { width })
    const press = (key: KeyInput) => tab.page.keyboard.press(key)
    await tab.page.waitForSelector(row)
    const count = await countRows(tab)
    const first = await tab.page.$eval(row, (link) => link.getAttribute("href"))
    await tab.page.locator(row).click()
    await tab.waitFor(`1 of ${count}`)
    await tab.waitFor("Explain now")
    await press("j")
    await tab.waitFor(`2 of ${count}`)
    await tab.waitFor("Explain now")
    expect(await tab.page.$$("tr[aria-current]")).toHaveLength(beside)
    expect(await tab.page.evaluate("location.hash")).toMatch(address)
    await press("k")
    await tab.waitFor(`1 of ${count}`)
    await press("Escape")
    await tab.page.waitForFunction(`document.activeElement.getAttribute("href") === "${first}"`)
    expect(await tab.page.evaluate("location.hash")).toBe("#/requests?model=demo%2Fmodel&range=24h")
    expect(tab.problems).toEqual([])
  })

  it("keeps the request beside its list over a reload, and lets the browser lead back", async () => {
    const tab = await open("#/requests?range=24h")
    await tab.page.locator(row).click()
    await tab.page.waitForSelector(".sheet .sentence")
    await tab.page.reload()
    await tab.page.waitForSelector(".sheet .sentence")
    await tab.page.waitForSelector("tr[aria-current]")
    await tab.page.goBack()
    await tab.page.waitForSelector(".sheet", { hidden: true })
    expect(await tab.page.evaluate("location.hash")).toBe("#/requests?range=24h")
  })

  it("says what keys do, and lets go of single letters", async () => {
    const tab = await open("#/requests")
    await tab.page.waitForSelector(row)
    await tab.page.keyboard.press("?")
    await tab.waitFor("The next request of the list")
    await tab.click("Single letters do something, here in this browser")
    await tab.page.keyboard.press("Escape")
    const first = await tab.page.$eval(row, (link) => link.getAttribute("href"))
    await tab.page.locator(row).click()
    await tab.page.waitForSelector(".sheet .sentence")
    await tab.page.keyboard.press("j")
    await tab.page.keyboard.press("?")
    expect(await tab.page.$("dialog[open]")).toBeNull()
    await tab.page.keyboard.press("Escape")
    await tab.page.waitForFunction(`document.activeElement.getAttribute("href") === "${first}"`)
  })

  it("shows the columns that were chosen, also after a reload", async () => {
    const tab = await open("#/requests")
    const readHeads = () =>
      tab.page.$$eval("[aria-label=Requests] thead th", (heads) =>
        heads.map(({ textContent }) => textContent)
      )
    await tab.page.waitForSelector(row)
    expect(await readHeads()).not.toContain("Request id")
    await tab.page.locator(".columns summary").click()
    await tab.click("Request id")
    await tab.click("Operation")
    await tab.page.reload()
    await tab.waitFor("req-answered")
    const heads = await readHeads()
    expect(heads).toContain("Request id")
    expect(heads).not.toContain("Operation")
    await tab.page.locator(".columns summary").click()
    await tab.click("Usual columns")
    await tab.page.waitForFunction(`!document.body.innerText.includes("req-answered")`)
    expect(await readHeads()).toContain("Operation")
  })

  it.each([true, false])("shows a time that was typed, in UTC: %s", async (isUtc) => {
    const tab = await open("#/requests")
    await tab.page.emulateTimezone("Asia/Tokyo")
    await tab.page.reload()
    await tab.page.waitForSelector(row)
    if (isUtc) await tab.click("UTC")
    await tab.click("From … to")
    const [from, to] = await tab.page.$$("dialog[open] input")
    const type = (field: typeof from, value: string) =>
      field!.evaluate((input, value) => {
        // Safe: the selector names inputs.
        ;(input as unknown as { value: string }).value = value
        input.dispatchEvent(new Event("input", { bubbles: true }))
      }, value)
    await type(from, "2026-01-02T10:00")
    await type(to, "2026-01-02T09:00")
    await tab.waitFor("The time ends before it begins.")
    await type(to, "2026-01-02T12:30")
    await tab.click("Show")
    await tab.page.waitForFunction(`location.hash.includes("to=")`)
    const query = new URLSearchParams(
      String(await tab.page.evaluate("location.hash")).split("?")[1]
    )
    expect(query.get("from")).toBe(isUtc ? "2026-01-02T10:00:00.000Z" : "2026-01-02T01:00:00.000Z")
    expect(query.get("to")).toBe(isUtc ? "2026-01-02T12:30:00.000Z" : "2026-01-02T03:30:00.000Z")
    await tab.waitFor("No request in this time.")
  })

  it("shows requests as they come, until the page is paused", async () => {
    const tab = await open("#/requests", { script: holdTimers })
    await tab.page.waitForSelector(row)
    const waitForRows = (count: number) =>
      tab.page.waitForFunction(`document.querySelectorAll("${row}").length === ${count}`)
    const count = await countRows(tab)
    await tab.click("Live")
    await tab.page.waitForFunction(`location.hash.includes("live=on")`)
    await chat()
    await waitForRows(count + 1)
    await tab.click("Pause")
    await tab.page.waitForSelector(".tools [title^='Read nothing'][aria-pressed=true]")
    await tab.page.waitForNetworkIdle({ idleTime: 200 })
    const asked: Array<string> = []
    tab.page.on("request", (request) => asked.push(request.url()))
    await chat()
    await tab.page.evaluate("runTimers()")
    await tab.page.waitForNetworkIdle({ idleTime: 200 })
    expect(asked).toEqual([])
    await tab.waitFor("Updated ")
    await tab.click("Pause")
    await waitForRows(count + 2)
    // What has an order of its own, or an end, does not go on.
    await tab.click("slowest")
    await tab.page.waitForFunction(
      `Array.from(document.querySelectorAll("button")).find(({ textContent }) => textContent === "Live").disabled`
    )
    expect(tab.problems).toEqual([])
  })
})
