/** The console in other languages' figures and times, and with names that are written from right to left. */
import type { Signalbox as Instance } from "@signalbox/core"
import type { Browser } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { BrowserTab } from "./support/BrowserTab.ts"
import { browserHosts, consoleMount, makeOpenConsole } from "./support/consoleHosts.ts"
import { startConsoleInstance } from "./support/consoleInstance.ts"
import { canOpenBrowser, openBrowser } from "./support/openBrowser.ts"

/** Notes what charts write, which is no text of the page. */
const noteDrawnTexts = `globalThis.drawn = []
  const fill = CanvasRenderingContext2D.prototype.fillText
  CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
    globalThis.drawn.push(String(text))
    return fill.call(this, text, ...rest)
  }`

/** Arabic, with a character that turns what follows around, and Hebrew. */
const turning = "\u0646\u0645\u0648\u0630\u062c \u202egpj.exe"
const hebrew = "\u05d3\u05d5\u05d2\u05de\u05d4"

describe.skipIf(!canOpenBrowser)("the console, in another language", () => {
  let browser: Browser
  let instance: Instance
  let running: Awaited<ReturnType<(typeof browserHosts)[number]["start"]>>
  beforeAll(async () => {
    browser = await openBrowser()
    instance = await startConsoleInstance({
      models: [
        {
          id: `demo/${hebrew}`,
          endpoints: [{ provider: "steady", price: { prompt: "0.01", completion: "0" } }]
        }
      ]
    })
    await instance.chat(
      { model: `demo/${hebrew}`, messages: [{ role: "user", content: "Hello" }] },
      { caller: { kind: "member", user: turning } }
    )
    running = await browserHosts[0]!.start(makeOpenConsole(instance), consoleMount)
  })
  afterAll(async () => {
    await browser?.close()
    await running?.close()
    await instance?.close()
  })

  const open = async (locale: string, width = 1_280) => {
    const tab = await BrowserTab.open(browser, `${running.origin}${consoleMount}/`, width)
    onTestFinished(() => tab[Symbol.asyncDispose]())
    const client = await tab.page.createCDPSession()
    await client.send("Emulation.setLocaleOverride", { locale })
    await tab.page.emulateTimezone("Asia/Tokyo")
    await tab.page.evaluateOnNewDocument(noteDrawnTexts)
    return tab
  }
  it.each([
    { locale: "de_DE", cost: "1,20\u00a0$", month: /\d\d\. \p{L}+\.?, \d\d:\d\d:\d\d/u },
    { locale: "ja_JP", cost: "$1.20", month: /\d{1,2}\u6708\d\d\u65e5 \d{1,2}:\d\d:\d\d/ }
  ])("writes money and times as in $locale", async ({ cost, locale, month }) => {
    const tab = await open(locale)
    await tab.goTo("#/requests?range=24h")
    await tab.page.waitForSelector("tbody a[href^='#/requests/gen-']")
    const text = await tab.text()
    expect(text).toContain(cost)
    expect(text).toMatch(month)
    await tab.page.waitForFunction(`globalThis.drawn.some((text) => /\\d:\\d\\d/.test(text))`)
    // Neither halves of days nor dates with slashes, which both are of other languages.
    expect(await tab.page.evaluate("globalThis.drawn.join(' ')")).not.toMatch(/\d[ap]m|\d\/\d/i)
    expect(tab.problems).toEqual([])
  })

  it("reads a comma as the point of a number, where it can be nothing else", async () => {
    const tab = await open("de_DE")
    const bar = 'input[list="filter-suggestions"]'
    await tab.goTo("#/requests?range=24h")
    await tab.page.waitForSelector(bar)
    await tab.page.type(bar, "cost>0,5\n")
    await tab.page.waitForFunction(`location.hash.includes("min_cost=0.500000001")`)
    await tab.page.waitForFunction(
      `document.querySelectorAll("tbody a[href^='#/requests/gen-']").length === 1`
    )
    await tab.page.type(bar, " tokens>1,000\n")
    await tab.waitFor("tokens is compared with a number, such as")
    expect(tab.problems).toEqual([])
  })

  it.each(["ar_EG", "he_IL", "fa_IR"])("shows no mark of direction of %s", async (locale) => {
    const tab = await open(locale)
    for (const [path, shown] of [
      ["overview", "Top spenders"],
      ["requests", "demo/model"],
      ["spend", "demo/model"],
      ["now", "demo/model@steady"]
    ] as const) {
      await tab.goTo(`#/${path}`)
      await tab.waitFor(shown)
      await tab.page.waitForNetworkIdle({ idleTime: 200, concurrency: 1 })
      expect(await tab.text()).not.toMatch(/\\u(?!202egpj)/)
    }
    expect(tab.problems).toEqual([])
  })

  it.each([400, 1_280])("keeps names in their place, %i pixels wide", async (width) => {
    const tab = await open("en_US", width)
    for (const path of ["requests?range=24h", "spend?by=user", "models", "now"]) {
      await tab.goTo(`#/${path}`)
      await tab.page.waitForFunction(
        `[${JSON.stringify(hebrew)}, "gpj.exe"].some((name) => document.body.innerText.includes(name))`
      )
      const text = await tab.text()
      expect(text).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/)
      expect(await tab.measureOverflow()).toBe(0)
    }
    await tab.goTo("#/requests?range=24h")
    await tab.waitFor(String.raw`\u202egpj.exe`)
    // Cells are from left to right, whatever is in them, and text after a name stays after it.
    const isInOrder = await tab.page.evaluate(`Array.from(
      document.querySelectorAll("[aria-label=Requests] tbody tr"),
      (row) => Array.from(row.querySelectorAll("td"), (cell) => cell.getBoundingClientRect())
    ).every((cells) => cells.every(({ x, y }, at) => at === 0 || x > cells[at - 1].x || y > cells[at - 1].y))`)
    expect(isInOrder).toBe(true)
    expect(tab.problems).toEqual([])
  })
})
