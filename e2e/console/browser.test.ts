import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { Signalbox } from "@signalbox/core"
import type { Browser } from "puppeteer-core"
import { pickScope } from "../../vitest.scope.ts"
import { journeys } from "./journeys/index.ts"
import { BrowserTab } from "./support/BrowserTab.ts"
import { browserHosts, consoleMount, makeOpenConsole } from "./support/consoleHosts.ts"
import { startConsoleInstance } from "./support/consoleInstance.ts"
import { canOpenBrowser, openBrowser } from "./support/openBrowser.ts"

/** Pixels: a phone, and a screen. */
const widths = pickScope({ full: [400, 1_280], sample: [400] })

describe.skipIf(!canOpenBrowser).each(browserHosts)(
  "in $name, in a browser (CHROME_PATH names another)",
  (host) => {
    let browser: Browser
    let instance: Signalbox
    let running: Awaited<ReturnType<typeof host.start>>
    beforeAll(async () => {
      browser = await openBrowser()
      instance = await startConsoleInstance()
      running = await host.start(makeOpenConsole(instance), consoleMount)
    })
    afterAll(async () => {
      await browser?.close()
      await running?.close()
      await instance?.close()
    })

    describe.each(widths)("%i pixels wide", (width) => {
      it.each(journeys)("$title", async ({ run }) => {
        await using tab = await BrowserTab.open(browser, `${running.origin}${consoleMount}/`, width)
        await run(tab)
        // Text of others has not become markup.
        expect(await tab.page.title()).toMatch(/Signalbox$/)
        // The page itself does not scroll sideways.
        expect(await tab.measureOverflow()).toBe(0)
        expect(tab.problems).toEqual([])
      })
    })
  }
)
