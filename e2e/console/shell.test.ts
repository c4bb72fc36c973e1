/** The frame of the console: a navigation that is longer than its window, and what is read in the background. */
import type { Signalbox as Instance } from "@signalbox/core"
import { Signalbox } from "@signalbox/node"
import type { Browser, KeyInput } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { BrowserTab } from "./support/BrowserTab.ts"
import { browserHosts, consoleMount, makeOpenConsole } from "./support/consoleHosts.ts"
import { startConsoleInstance } from "./support/consoleInstance.ts"
import { holdTimers } from "./support/holdTimers.ts"
import { canOpenBrowser, openBrowser } from "./support/openBrowser.ts"

/** Whether an element is in the window, and within what scrolls around it. */
const isShown = (selector: string): string => `(() => {
  const element = document.querySelector(${JSON.stringify(selector)})
  if (element === null) return false
  const { bottom, left, right, top } = element.getBoundingClientRect()
  const around = element.closest("nav")?.getBoundingClientRect()
  return [{ bottom: innerHeight, left: 0, right: innerWidth, top: 0 }, around ?? element.getBoundingClientRect()]
    .every((box) => top >= box.top - 1 && left >= box.left - 1 && bottom <= box.bottom + 1 && right <= box.right + 1)
})()`

describe.skipIf(!canOpenBrowser)("the frame of the console", () => {
  const [host] = browserHosts
  let browser: Browser
  let instance: Instance
  beforeAll(async () => {
    browser = await openBrowser()
    instance = await startConsoleInstance({ credits: { default: "100" } })
  })
  afterAll(async () => {
    await browser?.close()
    await instance?.close()
  })

  const open = async (shown: Instance, width: number) => {
    const running = await host!.start(makeOpenConsole(shown), consoleMount)
    onTestFinished(running.close)
    const tab = await BrowserTab.open(browser, `${running.origin}${consoleMount}/`, width)
    onTestFinished(() => tab[Symbol.asyncDispose]())
    return tab
  }

  it.each([
    [400, 720],
    [1_280, 720],
    [1_280, 480]
  ])("has its present page in sight, %i by %i pixels", async (width, height) => {
    const tab = await open(instance, width)
    await tab.page.setViewport({ width, height })
    for (const path of ["members", "overview", "webhooks"]) {
      await tab.goTo(`#/${path}`)
      await tab.page.waitForFunction(isShown(`nav a[href="#/${path}"]`))
      expect(await tab.page.evaluate(isShown(".brand"))).toBe(true)
      expect(await tab.page.evaluate(isShown(".session"))).toBe(true)
      expect(await tab.page.evaluate("scrollY")).toBe(0)
    }
    expect(await tab.measureOverflow()).toBe(0)
    expect(tab.problems).toEqual([])
  })

  it("leads to any page and to a request by the keyboard alone", async () => {
    const tab = await open(instance, 400)
    await tab.goTo("#/overview")
    await tab.waitFor("Open incidents")
    const goTo = async (typed: string, ...keys: ReadonlyArray<KeyInput>) => {
      await tab.page.keyboard.down("Control")
      await tab.page.keyboard.press("k")
      await tab.page.keyboard.up("Control")
      await tab.page.waitForSelector(".go-to[open] input:focus")
      await tab.page.keyboard.type(typed)
      for (const key of keys) await tab.page.keyboard.press(key)
    }
    await goTo("access", "ArrowUp", "ArrowDown", "ArrowDown", "Enter")
    await tab.page.waitForSelector('nav a[href="#/guardrails"][aria-current="page"]')
    await goTo("gen-none-1", "Enter")
    await tab.page.waitForFunction("location.hash === '#/requests/gen-none-1'")
    await goTo("keys", "Escape")
    await tab.page.waitForSelector(".go-to:not([open])")
    expect(await tab.page.evaluate("location.hash")).toBe("#/requests/gen-none-1")
  })

  it("keeps the theme and the zone that were chosen", async () => {
    const tab = await open(instance, 1_280)
    await tab.page.emulateTimezone("Asia/Tokyo")
    await tab.page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: "light" }])
    const at = "2026-01-02T23:30:00.000Z"
    const hash = `#/requests?from=${at}&to=2026-01-03T00:30:00.000Z`
    const colour = "getComputedStyle(document.body).backgroundColor"
    await tab.goTo(hash)
    const times = ".range span"
    await tab.page.waitForSelector(times)
    const read = () => tab.page.$eval(times, ({ textContent }) => textContent)
    const light = await tab.page.evaluate(colour)
    const local = await read()
    await tab.page.select(".tools select", "dark")
    await tab.page.waitForSelector("html[data-theme=dark]")
    await tab.click("UTC")
    await tab.page.waitForSelector(".tools [aria-pressed=true]")
    await tab.page.reload()
    await tab.page.waitForSelector(times)
    expect(await tab.page.evaluate(colour)).not.toBe(light)
    const utc = await read()
    expect(local).toMatch(/03.*08:30|03.*8:30/)
    expect(utc).toMatch(/02.*(23:30|11:30)/)
    await tab.page.select(".tools select", "system")
    await tab.page.waitForSelector("html[data-theme=light]")
    expect(await tab.page.evaluate(colour)).toBe(light)
    expect(tab.problems).toEqual([])
  })

  it("leads out of the session", async () => {
    const tab = await open(instance, 1_280)
    await tab.goTo("#/overview")
    await tab.page.waitForSelector(".tools a")
    expect(await tab.page.$eval(".tools a", (link) => link.getAttribute("href"))).toBe("/logout")
  })

  it("asks for the first steps until they are done", async () => {
    const empty = await Signalbox.make({ upstreams: [], models: [] })
    onTestFinished(() => empty.close())
    for (const [shown, isPolled] of [
      [empty, true],
      [instance, false]
    ] as const) {
      const tab = await open(shown, 1_280)
      await tab.page.evaluateOnNewDocument(holdTimers)
      await tab.goTo("#/overview")
      await tab.waitFor("Open incidents")
      if (isPolled) await tab.waitFor("First steps")
      // Incidents, and five reads for the steps.
      await tab.page.waitForFunction(`countTimers(10_000) === ${isPolled ? 6 : 1}`)
      const asked: Array<string> = []
      tab.page.on("request", (request) => asked.push(request.url()))
      const hasAsked = (part: string) => () => asked.some((url) => url.includes(part))
      await tab.page.evaluate("runTimers()")
      await expect.poll(hasAsked("/incidents"), { timeout: 240_000 }).toBe(true)
      await expect
        .poll(hasAsked("/keys?limit=1"), { timeout: isPolled ? 240_000 : 0 })
        .toBe(isPolled)
    }
  })
})
