/** The processes of a fleet, in a browser: what each holds back, and which are lost or of another version. */
import { consoleRoutes } from "@signalbox/console"
import type { Signalbox as Instance } from "@signalbox/core"
import type { Browser } from "puppeteer-core"
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest"
import { BrowserTab } from "./support/BrowserTab.ts"
import { browserHosts, consoleMount } from "./support/consoleHosts.ts"
import { startFailingInstance } from "./support/failingInstance.ts"
import { canOpenBrowser, openBrowser } from "./support/openBrowser.ts"

describe.skipIf(!canOpenBrowser)("the page Fleet, in a browser", () => {
  const [host] = browserHosts
  let browser: Browser
  let instance: Instance
  beforeAll(async () => {
    browser = await openBrowser()
    instance = await startFailingInstance()
  })
  afterAll(async () => {
    await browser?.close()
    await instance?.close()
  })

  const open = async (width: number) => {
    const running = await host!.start(
      consoleRoutes(instance, { authorize: () => ({ user: "ada" }) }),
      consoleMount
    )
    onTestFinished(running.close)
    const tab = await BrowserTab.open(browser, `${running.origin}${consoleMount}/`, width)
    onTestFinished(() => tab[Symbol.asyncDispose]())
    return tab
  }

  /** The list of processes is that of this process, and what `change` makes of it. */
  const answerWith = async (
    tab: BrowserTab,
    change: (processes: Awaited<ReturnType<typeof listProcesses>>) => object
  ): Promise<void> => {
    const body = JSON.stringify(change(await listProcesses()))
    await tab.page.setRequestInterception(true)
    tab.page.on("request", (request) => {
      void (request.url().includes("/signalbox/processes")
        ? request.respond({ contentType: "application/json", body })
        : request.continue())
    })
  }
  const listProcesses = async () => (await instance.live.listProcesses()).data.processes

  it.each([400, 1_280])(
    "has the breakers that hold requests back, %i pixels wide",
    async (width) => {
      const tab = await open(width)
      await tab.goTo("#/fleet")
      await tab.waitFor("answers this page")
      const text = await tab.text()
      expect(text).toContain("demo/single@overloaded")
      expect(text).toContain("10 of 10 failed")
      expect(text).not.toContain("different")
      expect(await tab.measureOverflow()).toBe(0)
      await tab.page.locator('a[href="#/incidents?endpoint=demo%2Fsingle%40overloaded"]').click()
      await tab.waitFor("Only of demo/single@overloaded")
      expect(tab.problems).toEqual([])
    }
  )

  it.each([400, 1_280])(
    "shows processes that are lost, late or of another version, %i pixels wide",
    async (width) => {
      const tab = await open(width)
      await answerWith(tab, ([self]) => {
        const other = { ...self!, is_self: false, endpoints: [] }
        return {
          data: {
            processes: [
              self,
              {
                ...other,
                id: "busy",
                version: "0.0.1",
                running: 4_321,
                event_loop_delay: 1_234,
                queues: [
                  { name: "requests", waiting: 17, dropped: 0, failed: 0 },
                  { name: "generations", waiting: 0, dropped: 23, failed: 1 }
                ],
                connection_waits: [{ provider: "steady", waiting: 5 }]
              },
              { ...other, id: "gone", version: "0.0.2", is_lost: true }
            ]
          }
        }
      })
      await tab.goTo("#/fleet")
      await tab.waitFor("Processes run different versions")
      const text = await tab.text()
      expect(text).toContain("0.0.1 in 1")
      // The lost one runs no version.
      expect(text).not.toContain("0.0.2 in 1")
      expect(text).toContain("4,321")
      expect(text).toContain("1.23 s")
      expect(text).toContain("17 requests, 5 for connections to steady")
      expect(text).toContain("lost since its start: 24 generations")
      expect(text).toContain("last heard")
      expect(await tab.measureOverflow()).toBe(0)
      expect(tab.problems).toEqual([])
    }
  )
})
